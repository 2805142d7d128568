import { deterministicDeployer, ownershipDeployment, predictOwnershipAddress } from '@lanyard/onchain'
import type { Command } from 'commander'
import { readCliEnv } from '../../../platform/environment/env.ts'
import { ownershipSurroundings } from '../../ownership-surroundings.ts'
import { missingEpochs } from '../epochs-call.ts'
import { ofNetworks, ofRecorded, withManual } from '../manual.ts'
import { openNetwork } from '../open-network.ts'
import { type SendOptions, withSending } from '../options.ts'
import { createOutput } from '../output.ts'
import { openOwner } from '../owner.ts'
import { sendAsOwner } from '../send-as-owner.ts'
import { terminal } from '../terminal.ts'

const about = `
Anyone may deploy it, since it has no owner. Its address depends on its code, on SessionKeys and on SmartBalance, and
owner changes hold only on networks where it has the same address: deploy both before it, at the same addresses
everywhere, and name them in NETWORKS_FILE. The contract is not audited.`

/** `lanyard deploy-ownership`: Ownership on one network. */
export function addDeployOwnership(group: Command): void {
  const command = withSending(group)
  withManual(command, {
    about,
    environment: { ...ofNetworks, ...ofRecorded, DEPLOYER_PRIVATE_KEY: 'needed: any key with coins for gas' },
    opensKeys: true,
    examples: ['deploy-ownership --network 8453 --dry-run'],
  }).action((options: SendOptions) => deployOwnership(options))
}

/** Deploys Ownership on one network, unless it is already deployed. */
async function deployOwnership(options: SendOptions): Promise<void> {
  const env = readCliEnv(terminal().env)
  const network = await openNetwork(env, options.network)
  const owner = await openOwner(network, env, options, 'anyone')
  const output = createOutput(options)
  const surroundings = ownershipSurroundings(network.config)
  const address = predictOwnershipAddress(surroundings)
  const code = await network.call((client) => client.getCode({ address }))
  if (code !== undefined) output.say(`Ownership is already at ${address}.`)
  const call = {
    description: `deploy Ownership at ${address}`,
    to: deterministicDeployer,
    data: ownershipDeployment(surroundings),
  }
  const calls = code === undefined ? [...(await missingEpochs(network)), call] : []
  const sent = await sendAsOwner({ network, owner, output, options }, calls)
  output.say(`Network ${network.chainId} of NETWORKS_FILE needs: "ownership": "${address}"`)
  output.finish({ network: network.chainId, dryRun: options.dryRun ?? false, ownership: address, sent })
}
