import type { Network } from '@lanyard/networks'
import { deterministicDeployer, epochsAddress, epochsDeployment } from '@lanyard/onchain'
import type { Command } from 'commander'
import type { Address } from 'viem'
import { readCliEnv } from '../../../platform/environment/env.ts'
import { type AccountModule, ownershipModule, sessionKeysModule } from '../../account-modules.ts'
import { ofNetworks, ofRecorded, withManual } from '../manual.ts'
import { openNetwork } from '../open-network.ts'
import { type SendOptions, withSending } from '../options.ts'
import { createOutput } from '../output.ts'
import { openOwner } from '../owner.ts'
import { sendAsOwner } from '../send-as-owner.ts'
import { terminal } from '../terminal.ts'

/** `lanyard deploy-session-keys`: SessionKeys on one network. */
export const addDeploySessionKeys = (group: Command) =>
  addDeployModule(
    group,
    sessionKeysModule,
    `
Anyone may deploy it, since it has no owner. Its address depends on its code and on the addresses of the contracts
that no session may call. SmartBalance is one of them, so deploy SmartBalance first and name it in NETWORKS_FILE.
The contract is not audited.`,
  )

/** `lanyard deploy-ownership`: Ownership on one network. */
export const addDeployOwnership = (group: Command) =>
  addDeployModule(
    group,
    ownershipModule,
    `
Anyone may deploy it, since it has no owner. Its address depends on its code, on SessionKeys and on SmartBalance, and
owner changes hold only on networks where it has the same address: deploy both before it, at the same addresses
everywhere, and name them in NETWORKS_FILE. The contract is not audited.`,
  )

function addDeployModule(group: Command, module: AccountModule, about: string): void {
  withManual(withSending(group), {
    about,
    environment: { ...ofNetworks, ...ofRecorded, DEPLOYER_PRIVATE_KEY: 'needed: any key with coins for gas' },
    opensKeys: true,
    examples: [`${module.command} --network 8453 --dry-run`],
  }).action((options: SendOptions) => deployModule(module, options))
}

/** Deploys what is missing of a module and of Epochs, which our contracts read. */
async function deployModule(
  { name, setting, deploymentOn }: AccountModule,
  options: SendOptions,
): Promise<void> {
  const env = readCliEnv(terminal().env)
  const network = await openNetwork(env, options.network)
  const owner = await openOwner(network, env, options, 'anyone')
  const output = createOutput(options)
  const { address, data } = deploymentOn(network.config)
  const isThere = await hasCode(network, address)
  if (isThere) output.say(`${name} is already at ${address}.`)
  const epochs = { description: `deploy Epochs at ${epochsAddress}`, data: epochsDeployment }
  const missing = [
    ...(isThere || (await hasCode(network, epochsAddress)) ? [] : [epochs]),
    ...(isThere ? [] : [{ description: `deploy ${name} at ${address}`, data }]),
  ]
  const calls = missing.map((call) => ({ ...call, to: deterministicDeployer }))
  const sent = await sendAsOwner({ network, owner, output, options }, calls)
  output.say(`Network ${network.chainId} of NETWORKS_FILE needs: "${setting}": "${address}"`)
  output.finish({ network: network.chainId, dryRun: options.dryRun ?? false, [setting]: address, sent })
}

const hasCode = async (network: Network, address: Address): Promise<boolean> =>
  (await network.call((client) => client.getCode({ address }))) !== undefined
