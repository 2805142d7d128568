import { LanyardError } from '@lanyard/contracts'
import {
  BaseError,
  ContractFunctionRevertedError,
  HttpRequestError,
  InternalRpcError,
  InvalidParamsRpcError,
  LimitExceededRpcError,
  ResourceUnavailableRpcError,
  RpcRequestError,
  SocketClosedError,
  TimeoutError,
  UnknownRpcError,
} from 'viem'
import { CircuitOpenError } from './circuit.ts'
import { QueueFullError, QueueTimeoutError } from './request-queue.ts'

/** Thrown by a transport if its endpoint serves a chain other than the configured one. */
export class WrongChainError extends BaseError {
  override readonly name = 'WrongChainError'
  constructor(expected: number, actual: number) {
    super(`The RPC serves chain ${actual} instead of ${expected}`)
  }
}

/** Thrown if the probe of a failed endpoint does not succeed in time. */
export class ProbeTimeoutError extends BaseError {
  override readonly name = 'ProbeTimeoutError'
  constructor() {
    super('The RPC does not answer yet')
  }
}

const isTransportError = (error: unknown) =>
  error instanceof HttpRequestError ||
  error instanceof TimeoutError ||
  error instanceof ProbeTimeoutError ||
  error instanceof CircuitOpenError ||
  error instanceof QueueFullError ||
  error instanceof QueueTimeoutError ||
  error instanceof SocketClosedError ||
  error instanceof LimitExceededRpcError ||
  error instanceof ResourceUnavailableRpcError

/** Whether there was no usable response. */
export const isTransportFailure = (error: unknown): boolean =>
  error instanceof BaseError && error.walk(isTransportError) !== null

/** HTTP statuses of temporary failures: time-outs, rate limits, and server errors. */
const passingStatuses: readonly number[] = [408, 429, 500, 502, 503, 504]

/**
 * Whether an immediate retry may succeed, e.g. after a closed kept-alive connection or a rate limit per
 * second.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof HttpRequestError) {
    return error.status === undefined || passingStatuses.includes(error.status)
  }
  return (
    error instanceof LimitExceededRpcError ||
    error instanceof InternalRpcError ||
    error instanceof UnknownRpcError
  )
}

/**
 * Providers also return "limit exceeded" (EIP-1474) for a range of logs that is too wide. That is a response
 * to this request: the endpoint works, and the same request gets the same response again.
 */
export function toLogsError(error: unknown): unknown {
  const limit =
    error instanceof BaseError ? error.walk((inner) => inner instanceof LimitExceededRpcError) : null
  return limit instanceof BaseError ? new InvalidParamsRpcError(new Error(limit.details)) : error
}

/** EIP-1474: code 3 is a revert; geth and anvil return it for eth_call and eth_estimateGas. */
const isRevert = (error: unknown) =>
  (error instanceof RpcRequestError && error.code === 3) ||
  (error instanceof BaseError && error.name === 'ExecutionRevertedError') ||
  (error instanceof ContractFunctionRevertedError && !isInternal(error))

/** viem treats every internal error of a node as a revert. It is one only if it contains revert data. */
const isInternal = (error: ContractFunctionRevertedError) =>
  error.raw === undefined && error.walk((inner) => inner instanceof InternalRpcError) !== null

/**
 * Converts viem's errors to ours: NETWORK_UNAVAILABLE if there was no response, NETWORK_FAILED if the
 * response is unusable. Reverts are responses and pass through, as do all errors that are not viem's.
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
  if (error.walk((inner) => inner instanceof QueueFullError)) {
    return new LanyardError('NETWORK_UNAVAILABLE', {
      message: `${name} answers more slowly than requests arrive. Nothing was sent; try again in a second.`,
      details: { retryAfter: 1 },
      cause: error,
    })
  }
  if (isTransportFailure(error)) {
    return new LanyardError('NETWORK_UNAVAILABLE', {
      message: `${name} does not answer. Nothing was lost; try again.`,
      cause: error,
    })
  }
  const isError = error.walk((inner) => inner instanceof InternalRpcError || inner instanceof RpcRequestError)
  return new LanyardError('NETWORK_FAILED', {
    message: isError
      ? `${name} answered with an error instead of a result.`
      : `${name} gave an answer that cannot be right.`,
    cause: error,
  })
}
