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
