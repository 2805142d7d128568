import { type ErrorCode, LanyardError } from '@lanyard/contracts'
import { isUnavailable } from '@lanyard/database'
import { TRPCError } from '@trpc/server'

/** Errors of tRPC itself, before a procedure runs. */
const fromTrpcCode: Partial<Record<TRPCError['code'], ErrorCode>> = {
  BAD_REQUEST: 'INVALID_INPUT',
  PARSE_ERROR: 'INVALID_JSON',
  NOT_FOUND: 'UNKNOWN_ROUTE',
  METHOD_NOT_SUPPORTED: 'METHOD_NOT_ALLOWED',
  PAYLOAD_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  UNSUPPORTED_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
}

function fromTrpcError(error: TRPCError): LanyardError {
  const { code, cause, message } = error
  // The same code marks a failed handler and an invalid output; neither concerns the caller.
  if (code === 'INTERNAL_SERVER_ERROR') return toLanyardError(cause ?? message)
  if (cause instanceof LanyardError) return cause
  if (cause instanceof SyntaxError) return new LanyardError('INVALID_JSON', { cause })
  const ours = fromTrpcCode[code] ?? 'INTERNAL'
  return ours === 'INVALID_INPUT'
    ? new LanyardError(ours, { issues: [{ path: '', message }], cause: error })
    : new LanyardError(ours, { cause: error })
}

/**
 * Converts a thrown value to an error with a code. An unexpected one becomes INTERNAL, and its text stays in
 * `cause`.
 */
export function toLanyardError(error: unknown): LanyardError {
  if (error instanceof LanyardError) return error
  if (error instanceof TRPCError) return fromTrpcError(error)
  // Express decodes the parameters of a path; nothing else here throws it.
  if (error instanceof URIError) return new LanyardError('UNKNOWN_ROUTE', { cause: error })
  if (isUnavailable(error)) return new LanyardError('DATABASE_UNAVAILABLE', { cause: error })
  return new LanyardError('INTERNAL', { cause: error })
}
