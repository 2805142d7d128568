import type { OperatorRow } from '@lanyard/database'

export type OperatorRole = OperatorRow['role']

/** From the least to the most powerful: each may do what the earlier ones may. */
export const operatorRoles = [
  'viewer',
  'support',
  'operator',
  'admin',
] as const satisfies readonly OperatorRole[]

/** Whether a role includes another. */
export const includesRole = (role: OperatorRole, needed: OperatorRole): boolean =>
  operatorRoles.indexOf(role) >= operatorRoles.indexOf(needed)

/** Names of operators: they appear in the audit log and in command lines. */
export const operatorName: RegExp = /^[A-Za-z0-9][\w.-]{0,63}$/
