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

/** Thrown by a transport when its endpoint serves another chain than configured. */
export class WrongChainError extends BaseError {
  override readonly name = 'WrongChainError'
  constructor(expected: number, actual: number) {
    super(`The RPC serves chain ${actual} instead of ${expected}`)
  }
}

/** Thrown when an endpoint that failed before does not show in time that it is back. */
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

/** Whether nothing of use answered. */
export const isTransportFailure = (error: unknown): boolean =>
  error instanceof BaseError && error.walk(isTransportError) !== null

/** HTTP statuses that the next attempt may not get: time-outs, rate limits, and a server that has trouble. */
const passingStatuses: readonly number[] = [408, 429, 500, 502, 503, 504]

/** Whether a second attempt soon after may succeed: a kept connection was closed, a limit of requests a second. */
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
 * Providers say "limit exceeded" (EIP-1474) also of a range of logs that is too wide. That is an answer to this request:
 * the endpoint is well, and the same request again gets the same answer.
 */
export function toLogsError(error: unknown): unknown {
  const limit =
    error instanceof BaseError ? error.walk((inner) => inner instanceof LimitExceededRpcError) : null
  return limit instanceof BaseError ? new InvalidParamsRpcError(new Error(limit.details)) : error
}

/** EIP-1474: code 3 is a revert; geth and anvil answer it for eth_call and eth_estimateGas. */
const isRevert = (error: unknown) =>
  (error instanceof RpcRequestError && error.code === 3) ||
  (error instanceof BaseError && error.name === 'ExecutionRevertedError') ||
  (error instanceof ContractFunctionRevertedError && !isInternal(error))

/** viem takes every internal error of a node for a revert, which it is where it says with what. */
const isInternal = (error: ContractFunctionRevertedError) =>
  error.raw === undefined && error.walk((inner) => inner instanceof InternalRpcError) !== null

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
  if (error.walk((inner) => inner instanceof QueueFullError)) {
    return new LanyardError('NETWORK_UNAVAILABLE', {
      message: `${name} answers more slowly than it is asked. Nothing was sent; try again in a second.`,
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
      : `${name} answered with something that cannot be right.`,
    cause: error,
  })
}
