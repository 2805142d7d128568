import type { Hex } from 'viem'
import { currentMeter } from '../../../platform/log/current-request.ts'
import type { BuildRequest, BuiltOperation } from '../build-request.ts'
import type { OperationDependencies } from '../dependencies.ts'
import { estimateOperation, requireFunds, withPrepended } from './estimate.ts'
import { startPlainBuild, writeBuild } from './write-build.ts'

/**
 * Builds a user operation: simulates, estimates, chooses a nonce and writes the row before its owner can
 * sign. If the process dies before the row is written, nothing has happened. The build then waits for its
 * signature or expires. It does not own its nonce: any number of builds may share a nonce, and the first one
 * that is signed gets it.
 *
 * @throws what `estimateOperation`, `requireFunds` and `writeBuild` throw; RATE_LIMITED when the caller's builds
 * take too much space; SCREENING_DENIED, SCREENING_HELD, SCREENING_UNAVAILABLE
 */
export async function buildOperation(
  dependencies: OperationDependencies,
  request: BuildRequest,
): Promise<BuiltOperation> {
  const bytes = bytesOfBuild(request.calls.map(({ data }) => data))
  const space = currentMeter()?.reserveSpace('builds', bytes)
  try {
    const built = await tryToBuild(dependencies, request)
    space?.charge(bytes)
    return built
  } finally {
    space?.release()
  }
}

async function tryToBuild(
  dependencies: OperationDependencies,
  request: BuildRequest,
): Promise<BuiltOperation> {
  const { wallet, network, calls, payer, signer, allowRevert = false, prepended } = request
  const bundler = dependencies.bundlerFor(network.chainId)
  const { features } = dependencies
  const estimateRequest = {
    ...{ wallet, network, bundler, features, payer, allowRevert, signer },
    ...withPrepended({ calls, payer, prepended }),
  }
  const plain = startPlainBuild(dependencies, request)
  const estimated = await estimateOperation(estimateRequest)
  await requireFunds(estimateRequest, estimated)
  await payer.requirePayable?.(estimated.operation, estimated.stub.simulation.stateOverride)
  await payer.screen?.()
  await dependencies.checkpoint('build:estimated')

  const built = (await plain?.write(estimated)) ?? (await writeBuild(dependencies, request, estimated))
  await dependencies.checkpoint('build:written')
  return built
}

/** Bytes of a row with its indexes, besides call data. The rest of the operation is at most as long again. */
const rowBytes = 2_560

/** Bytes that a build takes in the database: its call data is stored as hex. */
export const bytesOfBuild = (data: readonly Hex[]): number =>
  data.reduce((sum, { length }) => sum + length, rowBytes)
