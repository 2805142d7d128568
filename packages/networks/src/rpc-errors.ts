import { LanyardError } from '@lanyard/contracts'
import {
  BaseError,
  ContractFunctionRevertedError,
  HttpRequestError,
  InternalRpcError,
  ResourceUnavailableRpcError,
  RpcRequestError,
  SocketClosedError,
  TimeoutError,
  UnknownRpcError,
} from 'viem'
import { EndpointError, isEndpointError } from './endpoint-error.ts'
import { type ProviderRejection, rejectionIn } from './provider-errors.ts'
import { QueueFullError, QueueTimeoutError, RateLimitedError } from './request-queue.ts'

export const wrongChain = (expected: number, actual: number) =>
  new EndpointError('WrongChainError', `The RPC serves chain ${actual} instead of ${expected}`)

/** HTTP statuses that are an answer to the request itself. */
const rejectedRequest: readonly number[] = [400, 413, 414, 422]
const isRejectedRequest = ({ status }: HttpRequestError) =>
  status !== undefined && rejectedRequest.includes(status)

/** Moved, no or a wrong key, a bill, or nothing at this path: waiting changes none of these. */
const refusesAccess = ({ status = 0 }: HttpRequestError) =>
  (status >= 300 && status <= 399) || [401, 402, 403, 404, 407, 410].includes(status)

const isTransportError = (error: unknown) =>
  (error instanceof HttpRequestError && !isRejectedRequest(error)) ||
  error instanceof TimeoutError ||
  isEndpointError(error, 'ProbeTimeoutError') ||
  isEndpointError(error, 'CircuitOpenError') ||
  error instanceof QueueFullError ||
  error instanceof QueueTimeoutError ||
  error instanceof SocketClosedError ||
  error instanceof ResourceUnavailableRpcError

/** Whether there was no usable response. */
export const isTransportFailure = (error: unknown): boolean =>
  error instanceof BaseError && error.walk(isTransportError) !== null

/** HTTP statuses of temporary failures: time-outs, server errors, and a success that is no answer. */
const passingStatuses: readonly number[] = [200, 408, 500, 502, 503, 504]

/** Whether an immediate retry may succeed, e.g. after a closed kept-alive connection. */
export function isTransient(error: unknown): boolean {
  if (error instanceof HttpRequestError) {
    return error.status === undefined || passingStatuses.includes(error.status)
  }
  return error instanceof InternalRpcError || error instanceof UnknownRpcError
}

/** EIP-1474: code 3 is a revert; geth and anvil return it for eth_call and eth_estimateGas. */
const isRevert = (error: unknown) =>
  (error instanceof RpcRequestError && error.code === 3) ||
  (error instanceof BaseError && error.name === 'ExecutionRevertedError') ||
  (error instanceof ContractFunctionRevertedError && !isInternal(error))

/** viem treats every internal error of a node as a revert. It is one only if it contains revert data. */
const isInternal = (error: ContractFunctionRevertedError) =>
  error.raw === undefined && error.walk((inner) => inner instanceof InternalRpcError) !== null

/** Nothing was sent, because too many requests waited, or this one for too long. */
const isBusy = (error: unknown) =>
  error instanceof QueueFullError || (error instanceof QueueTimeoutError && !error.isSent)

/**
 * Converts viem's errors to ours: NETWORK_UNAVAILABLE if there was no response, NETWORK_FAILED if the
 * response is unusable. Reverts are responses and pass through, as do all errors that are not viem's.
 */
export function toNetworkError(error: unknown, name: string): unknown {
  if (!(error instanceof BaseError)) return error
  if (error.walk(isRevert)) return error
  if (error.walk((inner) => isEndpointError(inner, 'WrongChainError'))) {
    return new LanyardError('NETWORK_FAILED', {
      message: `${name}: the RPC serves another chain than the one configured.`,
      cause: error,
    })
  }
  // Its words are short. What was not sent can be long, and under an attack each of these lines is written.
  const busy = error.walk(isBusy)
  if (busy) {
    return new LanyardError('NETWORK_UNAVAILABLE', {
      message: `${name} answers more slowly than requests arrive. Nothing was sent; try again in a second.`,
      details: { retryAfter: 1 },
      cause: busy,
    })
  }
  const limit = error.walk((inner) => inner instanceof RateLimitedError)
  if (limit instanceof RateLimitedError) {
    const retryAfter = Math.max(1, Math.ceil(limit.wait / 1_000))
    return new LanyardError('NETWORK_UNAVAILABLE', {
      message: `The RPC provider of ${name} limits the number of requests. Nothing was lost; try again in ${retryAfter} s.`,
      details: { reason: 'PROVIDER_LIMIT', retryAfter },
      cause: error,
    })
  }
  const rejection = rejectionIn(error)
  if (rejection) return describeRejection(rejection, name, error)
  const refused = error.walk((inner) => inner instanceof HttpRequestError && refusesAccess(inner))
  if (refused instanceof HttpRequestError) {
    return new LanyardError('NETWORK_UNAVAILABLE', {
      message: `The RPC of ${name} answers HTTP ${refused.status}: it refuses access. Nothing was lost. Operators: check its address and key in rpcUrls, and the plan.`,
      details: { reason: 'ACCESS_REFUSED', status: refused.status },
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

/** Says what the provider lacks, so that an operator knows what to change. */
function describeRejection(
  { meaning, method }: ProviderRejection,
  name: string,
  cause: BaseError,
): LanyardError {
  const failed = (message: string, details?: Record<string, unknown>) =>
    new LanyardError('NETWORK_FAILED', { message, cause, ...(details && { details }) })
  switch (meaning) {
    case 'block-unknown':
      return new LanyardError('NETWORK_UNAVAILABLE', {
        message: `The RPC of ${name} does not have a block yet that another of its nodes has. Nothing was lost; try again.`,
        details: { reason: 'NODE_BEHIND', retryAfter: 1 },
        cause,
      })
    case 'method-missing':
      return failed(`The RPC of ${name} does not offer ${method}.`, { reason: 'METHOD_MISSING', method })
    case 'override-refused':
      return failed(
        `The RPC of ${name} refuses or ignores state overrides (third parameter of ${method}), which estimates need. Nothing is wrong with the request. Operators: put an RPC that has them in rpcUrls; \`lanyard preflight\` checks it.`,
        { reason: 'NO_STATE_OVERRIDE', method },
      )
    case 'state-pruned':
      return failed(`The RPC of ${name} no longer has the state of an older block.`, {
        reason: 'STATE_PRUNED',
        method,
      })
    case 'request-too-large':
      return failed(
        `The RPC of ${name} refuses a request of this size (${method}). Operators: put an RPC in rpcUrls that takes 100 kB; \`lanyard preflight\` checks it.`,
        { reason: 'LIMIT_TOO_LOW', method },
      )
    case 'batch-too-large':
    case 'range-too-wide':
    case 'too-many-results':
      return failed(`The RPC of ${name} limits ${method} to less than one request needs.`, {
        reason: 'LIMIT_TOO_LOW',
        method,
      })
  }
}
