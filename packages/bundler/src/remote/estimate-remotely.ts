import type { Network } from '@lanyard/networks'
import { type Address, numberToHex, type StateOverride } from 'viem'
import type { z } from 'zod'
import type { EstimateRequest, GasEstimate } from '../bundler.ts'
import { withAuthorization } from '../eip7702/authorization.ts'
import { entryPointOf } from '../entry-point/entry-point.ts'
import { estimateBySimulation } from '../simulation/estimate-by-simulation.ts'
import { gasEstimateAnswer } from './answers.ts'
import { type BundlerRpc, BundlerRpcError } from './bundler-rpc.ts'
import { readRejection } from './to-rejection.ts'
import { toRequest } from './to-request.ts'

interface RemoteContext {
  readonly network: Network
  readonly rpc: BundlerRpc
}

type RemoteEstimate = z.output<typeof gasEstimateAnswer>

/**
 * Gas limits from the bundler and from our own simulation, whichever is larger.
 *
 * Both run concurrently. The simulation reports what the calls do and why an operation cannot validate, in
 * the same words on every network. It also finds enough verification gas when a bundler mistakes "out of gas"
 * for "bad signature". The bundler knows the preVerificationGas that it requires (data fees of rollups). If
 * the bundler cannot estimate because the calls revert, only the simulation is used.
 */
export async function estimateRemotely(
  context: RemoteContext,
  request: EstimateRequest,
): Promise<GasEstimate> {
  const requested = askBundler(context, request).then(
    (remote) => ({ remote }),
    (error: unknown) => ({ error }),
  )
  const own = await estimateBySimulation(context.network, request)
  const answer = await requested
  if ('remote' in answer) return larger(own, answer.remote)
  if (answer.error instanceof BundlerRpcError) {
    if (!own.execution.success) return own
    const rejected = readRejection(answer.error)
    // The bundler already has the operation. Its estimate is not needed, and this is not an error.
    if (rejected.kind === 'known') return own
    throw rejected.error
  }
  throw answer.error
}

/** Balance and code overrides are the third parameter, as in eth_call; not every bundler accepts one. */
async function askBundler(
  { network, rpc }: RemoteContext,
  request: EstimateRequest,
): Promise<RemoteEstimate> {
  const operation = await withAuthorization(network, request.operation)
  const params = [toRequest(operation), entryPointOf(network, operation)]
  const override = formatOverride([
    { address: operation.sender, balance: simulatedBalance },
    ...(request.stateOverride ?? []),
  ])
  try {
    return await rpc('eth_estimateUserOperationGas', [...params, override], gasEstimateAnswer)
  } catch (error) {
    if (!(error instanceof BundlerRpcError) || error.code !== invalidParams) throw error
    return await rpc('eth_estimateUserOperationGas', params, gasEstimateAnswer)
  }
}

/** JSON-RPC 2.0 */
const invalidParams = -32602

/** wei */
const simulatedBalance = 10n ** 24n

/** viem's state override in JSON-RPC form (geth's state override set). */
function formatOverride(override: StateOverride): Record<Address, Record<string, unknown>> {
  const entries = override.map(({ address, balance, code, stateDiff }) => [
    address,
    {
      ...(balance === undefined ? {} : { balance: numberToHex(balance) }),
      ...(code === undefined ? {} : { code }),
      ...(stateDiff === undefined
        ? {}
        : { stateDiff: Object.fromEntries(stateDiff.map(({ slot, value }) => [slot, value])) }),
    },
  ])
  return Object.fromEntries(entries)
}

const greater = (a: bigint, b: bigint | null | undefined) => (b !== null && b !== undefined && b > a ? b : a)

function larger(own: GasEstimate, remote: RemoteEstimate): GasEstimate {
  const { paymasterVerificationGasLimit, paymasterPostOpGasLimit } = own
  return {
    ...own,
    callGasLimit: greater(own.callGasLimit, remote.callGasLimit),
    verificationGasLimit: greater(own.verificationGasLimit, remote.verificationGasLimit),
    preVerificationGas: greater(own.preVerificationGas, remote.preVerificationGas),
    ...(paymasterVerificationGasLimit === undefined
      ? {}
      : {
          paymasterVerificationGasLimit: greater(
            paymasterVerificationGasLimit,
            remote.paymasterVerificationGasLimit,
          ),
        }),
    ...(paymasterPostOpGasLimit === undefined
      ? {}
      : { paymasterPostOpGasLimit: greater(paymasterPostOpGasLimit, remote.paymasterPostOpGasLimit) }),
  }
}
