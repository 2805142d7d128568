import { sessionKeysSurroundings } from '@lanyard/accounts'
import type { Network, NetworkConfig } from '@lanyard/networks'
import {
  deterministicDeployer,
  epochsAddress,
  epochsDeployment,
  ownershipDeployment,
  predictOwnershipAddress,
  predictSessionKeysAddress,
  sessionKeysDeployment,
} from '@lanyard/onchain'
import type { Command } from 'commander'
import type { Address, Hex } from 'viem'
import { readCliEnv } from '../../../platform/environment/env.ts'
import { ownershipSurroundings } from '../../ownership-surroundings.ts'
import { ofNetworks, ofRecorded, withManual } from '../manual.ts'
import { openNetwork } from '../open-network.ts'
import { type SendOptions, withSending } from '../options.ts'
import { createOutput } from '../output.ts'
import { openOwner } from '../owner.ts'
import { sendAsOwner } from '../send-as-owner.ts'
import { terminal } from '../terminal.ts'

/** A module of accounts, which anyone may deploy. */
interface Module {
  readonly name: string
  readonly about: string
  readonly command: string
  /** Its member of the network in NETWORKS_FILE. */
  readonly setting: 'sessionKeys' | 'ownership'
  readonly deploymentFor: (config: NetworkConfig) => { readonly address: Address; readonly data: Hex }
}

const sessionKeys: Module = {
  name: 'SessionKeys',
  about: `
Anyone may deploy it, since it has no owner. Its address depends on its code and on the addresses of the contracts
that no session may call. SmartBalance is one of them, so deploy SmartBalance first and name it in NETWORKS_FILE.
The contract is not audited.`,
  command: 'deploy-session-keys',
  setting: 'sessionKeys',
  deploymentFor(config) {
    const surroundings = sessionKeysSurroundings(config)
    return { address: predictSessionKeysAddress(surroundings), data: sessionKeysDeployment(surroundings) }
  },
}

const ownership: Module = {
  name: 'Ownership',
  about: `
Anyone may deploy it, since it has no owner. Its address depends on its code, on SessionKeys and on SmartBalance, and
owner changes hold only on networks where it has the same address: deploy both before it, at the same addresses
everywhere, and name them in NETWORKS_FILE. The contract is not audited.`,
  command: 'deploy-ownership',
  setting: 'ownership',
  deploymentFor(config) {
    const surroundings = ownershipSurroundings(config)
    return { address: predictOwnershipAddress(surroundings), data: ownershipDeployment(surroundings) }
  },
}

/** `lanyard deploy-session-keys`: SessionKeys on one network. */
export const addDeploySessionKeys = (group: Command) => addDeployModule(group, sessionKeys)

/** `lanyard deploy-ownership`: Ownership on one network. */
export const addDeployOwnership = (group: Command) => addDeployModule(group, ownership)

function addDeployModule(group: Command, module: Module): void {
  withManual(withSending(group), {
    about: module.about,
    environment: { ...ofNetworks, ...ofRecorded, DEPLOYER_PRIVATE_KEY: 'needed: any key with coins for gas' },
    opensKeys: true,
    examples: [`${module.command} --network 8453 --dry-run`],
  }).action((options: SendOptions) => deployModule(module, options))
}

/** Deploys what is missing of a module and of Epochs, which our contracts read. */
async function deployModule({ name, setting, deploymentFor }: Module, options: SendOptions): Promise<void> {
  const env = readCliEnv(terminal().env)
  const network = await openNetwork(env, options.network)
  const owner = await openOwner(network, env, options, 'anyone')
  const output = createOutput(options)
  const { address, data } = deploymentFor(network.config)
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
