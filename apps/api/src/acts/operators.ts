import {
  disableOperator as disable,
  type Invitation,
  inviteOperator as invite,
  changeRole as writeRole,
} from '../domain/operators/manage-operators.ts'
import type { OperatorRole } from '../domain/operators/operator-roles.ts'
import type { ActContext } from './act.ts'

interface NamedRole {
  readonly name: string
  readonly role: OperatorRole
}

/** @returns undefined for a disabled operator, whose name the audit log keeps */
export async function inviteOperator(
  { transaction, now, record }: ActContext,
  person: NamedRole,
): Promise<Invitation | undefined> {
  const invitation = await invite(transaction, person, now)
  if (!invitation) return undefined
  const { name, role } = invitation.operator
  await record({ act: 'operator.invite', subject: name, after: { role } })
  return invitation
}

/** @returns false when there is no active operator of this name */
export async function changeRole(
  { transaction, record }: ActContext,
  { name, role }: NamedRole,
): Promise<boolean> {
  const before = await writeRole(transaction, name, role)
  if (before === undefined) return false
  await record({ act: 'operator.role', subject: name, before: { role: before }, after: { role } })
  return true
}

/** Ends every access. @returns false when there is no active operator of this name */
export async function disableOperator(
  { transaction, now, record }: ActContext,
  name: string,
): Promise<boolean> {
  if (!(await disable(transaction, name, now))) return false
  await record({ act: 'operator.disable', subject: name })
  return true
}
