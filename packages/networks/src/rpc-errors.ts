import { LanyardError } from '@lanyard/contracts'
import {
  BaseError,
  HttpRequestError,
  InternalRpcError,
  LimitExceededRpcError,
  ResourceUnavailableRpcError,
  RpcRequestError,
  SocketClosedError,
  TimeoutError,
} from 'viem'

/** Thrown by a transport when its endpoint serves another chain than configured. */
export class WrongChainError extends BaseError {
  override readonly name = 'WrongChainError'
  constructor(expected: number, actual: number) {
    super(`The RPC serves chain ${actual} instead of ${expected}`)
  }
}

const isTransportFailure = (error: unknown) =>
  error instanceof HttpRequestError ||
  error instanceof TimeoutError ||
  error instanceof SocketClosedError ||
  error instanceof LimitExceededRpcError ||
  error instanceof ResourceUnavailableRpcError

/** EIP-1474: code 3 is a revert; geth and anvil answer it for eth_call and eth_estimateGas. */
const isRevert = (error: unknown) =>
  (error instanceof RpcRequestError && error.code === 3) ||
  (error instanceof BaseError &&
    ['ExecutionRevertedError', 'ContractFunctionRevertedError'].includes(error.name))

/**
 * Turns what viem throws into our errors: NETWORK_UNAVAILABLE when nothing answered, NETWORK_FAILED when the
 * answer is of no use. Reverts are an answer, and pass through; so does everything that is not viem's.
 */
export function toNetworkError(error: unknown, name: string): unknown {
  if (!(error instanceof BaseError)) return error
  if (error.walk(isRevert)) return error
  if (error.walk((inner) => inner instanceof WrongChainError)) {
    return new LanyardError('NETWORK_FAILED', {
      message: `${name}: the RPC serves another chain than the one configured.`,
      cause: error,
    })
  }
  if (error.walk(isTransportFailure)) {
    return new LanyardError('NETWORK_UNAVAILABLE', {
      message: `${name} does not answer. Nothing was lost; try again.`,
      cause: error,
    })
  }
  if (error.walk((inner) => inner instanceof InternalRpcError || inner instanceof RpcRequestError)) {
    return new LanyardError('NETWORK_FAILED', {
      message: `${name} answered with an error instead of a result.`,
      cause: error,
    })
  }
  return error
}
