/**
 * SQLSTATEs (Appendix A) for temporary failures. Class 08 is connections, 53 insufficient resources of the
 * server (disk, memory, connections), 57P0x a server that is shutting down or starting.
 */
const sqlStates = /^(08...|53...|57P0[1-5]|57014|25P03|55P03)$/

/** Codes of socket errors. ENOENT and EACCES: a unix socket that is gone. */
const systemCodes = new Set([
  'EACCES',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** Messages of pg, pg-pool, PGlite and Kysely that have no code. */
const messages = [
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Connection terminated',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'PGlite is closed',
  'PGlite is closing',
  'PGlite instance is already closed',
  'driver has already been destroyed',
]

/**
 * True if the database did not respond: connection refused, terminated, timed out, shut down, or out of
 * connections. The statement may have been executed nevertheless.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // A host with several addresses fails with one error for each.
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true
  if ('code' in error && typeof error.code === 'string') {
    if (error.code === 'DATABASE_UNAVAILABLE') return true
    if (sqlStates.test(error.code)) return true
    if ('syscall' in error && systemCodes.has(error.code)) return true
  }
  return messages.some((message) => error.message.includes(message)) || isUnavailable(error.cause)
}

/** PostgreSQL's SQLSTATE for a unique violation, Appendix A. */
const UNIQUE_VIOLATION = '23505'

/**
 * True for a row that violates a unique constraint.
 *
 * @param constraint Only that constraint or unique index, e.g. `users_username_key_key`.
 */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof Error) || !('code' in error) || error.code !== UNIQUE_VIOLATION) return false
  return constraint === undefined || ('constraint' in error && error.constraint === constraint)
}
