import { BaseError } from 'viem'

type EndpointErrorName =
  /** Without a request: the endpoint failed several times in a row, and its pause is not over. */
  | 'CircuitOpenError'
  /** The probe of a failed endpoint does not succeed in time. */
  | 'ProbeTimeoutError'
  /** A response cannot be a response to the request. */
  | 'UnusableAnswerError'
  /** The endpoint serves a chain other than the configured one. */
  | 'WrongChainError'

/** Why an endpoint gave no usable answer. Its name tells which reason. */
export class EndpointError extends BaseError {
  constructor(name: EndpointErrorName, message: string, cause?: unknown) {
    super(message, { name, ...(cause instanceof Error && { cause }) })
  }
}

/** Whether an error is an {@link EndpointError} with this name. */
export const isEndpointError = (error: unknown, name: EndpointErrorName): boolean =>
  error instanceof EndpointError && error.name === name
