import type { OperationDependencies } from '../dependencies.ts'
import type { BuildRequest, BuiltOperation } from './build-request.ts'
import { estimateOperation } from './estimate.ts'
import { requireFunds } from './funds.ts'
import { writeBuild } from './write-build.ts'

/**
 * Builds a user operation: simulates, estimates, chooses a nonce and writes the row, all before its owner can sign.
 * When the process dies on the way nothing has happened. After the row is written, the build waits for its signature or
 * expires. It owns nothing meanwhile: any number of builds may have one nonce, and the first that is signed gets it.
 *
 * @throws what `estimateOperation`, `requireFunds` and `writeBuild` throw
 */
export async function buildOperation(
  dependencies: OperationDependencies,
  request: BuildRequest,
): Promise<BuiltOperation> {
  const { wallet, network, calls, payer, signer, allowRevert = false, prepended } = request
  const bundler = dependencies.bundlerFor(network.chainId)
  const estimateRequest = { wallet, network, bundler, calls, payer, allowRevert, signer, prepended }
  const estimated = await estimateOperation(estimateRequest)
  await requireFunds(estimateRequest, estimated)
  await dependencies.checkpoint('build:estimated')

  const built = await writeBuild(dependencies, request, estimated)
  await dependencies.checkpoint('build:written')
  return built
}
