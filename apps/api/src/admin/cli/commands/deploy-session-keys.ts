import { sessionKeysSurroundings } from '@lanyard/accounts'
import { deterministicDeployer, predictSessionKeysAddress, sessionKeysDeployment } from '@lanyard/onchain'
import type { Command } from 'commander'
import { readCliEnv } from '../../../platform/environment/env.ts'
import { missingEpochs } from '../epochs-call.ts'
import { ofNetworks, ofRecorded, withManual } from '../manual.ts'
import { openNetwork } from '../open-network.ts'
import { type SendOptions, withSending } from '../options.ts'
import { createOutput } from '../output.ts'
import { openOwner } from '../owner.ts'
import { sendAsOwner } from '../send-as-owner.ts'
import { terminal } from '../terminal.ts'

const about = `
Anyone may deploy it, since it has no owner. Its address depends on its code and on the addresses of the contracts
that no session may call. SmartBalance is one of them, so deploy SmartBalance first and name it in NETWORKS_FILE.
The contract is not audited.`

/** `lanyard deploy-session-keys`: SessionKeys on one network. */
export function addDeploySessionKeys(group: Command): void {
  const command = withSending(group)
  withManual(command, {
    about,
    environment: { ...ofNetworks, ...ofRecorded, DEPLOYER_PRIVATE_KEY: 'needed: any key with coins for gas' },
    opensKeys: true,
    examples: ['deploy-session-keys --network 8453 --dry-run'],
  }).action((options: SendOptions) => deploySessionKeys(options))
}

/** Deploys SessionKeys on one network, unless it is already deployed. */
async function deploySessionKeys(options: SendOptions): Promise<void> {
  const env = readCliEnv(terminal().env)
  const network = await openNetwork(env, options.network)
  const owner = await openOwner(network, env, options, 'anyone')
  const output = createOutput(options)
  const surroundings = sessionKeysSurroundings(network.config)
  const address = predictSessionKeysAddress(surroundings)
  const code = await network.call((client) => client.getCode({ address }))
  if (code !== undefined) output.say(`SessionKeys is already at ${address}.`)
  const call = {
    description: `deploy SessionKeys at ${address}`,
    to: deterministicDeployer,
    data: sessionKeysDeployment(surroundings),
  }
  const calls = code === undefined ? [...(await missingEpochs(network)), call] : []
  const sent = await sendAsOwner({ network, owner, output, options }, calls)
  output.say(`Network ${network.chainId} of NETWORKS_FILE needs: "sessionKeys": "${address}"`)
  output.finish({ network: network.chainId, dryRun: options.dryRun ?? false, sessionKeys: address, sent })
}
