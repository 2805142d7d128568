import type { Network } from '@lanyard/networks'
import { deterministicDeployer, epochsAddress, epochsDeployment } from '@lanyard/onchain'
import type { OwnerCall } from './send-as-owner.ts'

/** The call that deploys Epochs, which our other contracts read; none if it is on the network. */
export async function missingEpochs(network: Network): Promise<readonly OwnerCall[]> {
  const code = await network.call((client) => client.getCode({ address: epochsAddress }))
  if (code !== undefined) return []
  const description = `deploy Epochs at ${epochsAddress}`
  return [{ description, to: deterministicDeployer, data: epochsDeployment }]
}
