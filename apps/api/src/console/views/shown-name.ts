import { includesRole, type OperatorRole } from '../../domain/operators/operator-roles.ts'

/**
 * The name of a user as a role may see it. A name that looks like an e-mail address says who a person is, so a viewer
 * sees only its beginning.
 */
export function nameFor(role: OperatorRole, username: string): string {
  if (includesRole(role, 'support') || !username.includes('@')) return username
  return `${username.slice(0, 2)}…@…`
}
