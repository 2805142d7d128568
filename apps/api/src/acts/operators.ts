import {
  disableOperator as disable,
  type Invitation,
  type InvitedPerson,
  inviteOperator as invite,
  changeRole as writeRole,
} from '../domain/operators/manage-operators.ts'
import { confirmPasskey as confirm, forgetPasskeys as forget } from '../domain/operators/operator-passkeys.ts'
import type { OperatorRole } from '../domain/operators/operator-roles.ts'
import type { ActContext } from './act.ts'

interface NamedRole {
  readonly name: string
  readonly role: OperatorRole
}

/** @returns undefined for a disabled operator, whose name the audit log keeps */
export async function inviteOperator(
  { transaction, now, record, made }: ActContext,
  person: InvitedPerson,
): Promise<Invitation | undefined> {
  const invitation = await invite(transaction, person, now, made?.hash)
  if (!invitation) return undefined
  const { name, role, break_glass } = invitation.operator
  await record({
    ...{ act: 'operator.invite', subject: name },
    after: { role, ...(break_glass && { breakGlass: true }) },
  })
  return invitation
}

/**
 * Vouches for the passkey of a person of the identity provider.
 *
 * @param passkey - its fingerprint, from its owner
 * @returns false if no such passkey waits
 */
export async function confirmPasskey(
  { transaction, now, record }: ActContext,
  { name, passkey }: { readonly name: string; readonly passkey: string },
): Promise<boolean> {
  if (!(await confirm(transaction, { name, shown: passkey }, now))) return false
  await record({ act: 'operator.passkey-confirm', subject: name, after: { passkey } })
  return true
}

/** Takes all passkeys away, after a loss. @returns how many */
export async function forgetPasskeys({ transaction, record }: ActContext, name: string): Promise<number> {
  const passkeys = await forget(transaction, name)
  if (passkeys > 0) await record({ act: 'operator.passkeys-forget', subject: name, before: { passkeys } })
  return passkeys
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
