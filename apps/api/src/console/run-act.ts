import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'
import { claimApproval } from '../domain/operators/approvals.ts'
import { includesRole } from '../domain/operators/operator-roles.ts'
import type { SignedInOperator } from '../domain/operators/operator-sessions.ts'
import { type Actor, recordAct } from '../platform/audit/record-act.ts'
import type { OperatorContext, RunAct } from './console-context.ts'

/** Milliseconds after the identity provider's last word for which its people may act. */
const maxProofAge = 60_000

/**
 * Checks the role again inside the act's transaction and holds it until the commit: a role that an administrator takes
 * away meanwhile either comes after the act, or prevents it. An approval is used up in the same transaction.
 */
export const runAct: RunAct = (context, work) =>
  context.database.transaction().execute(async (transaction) => {
    const { operator, approval, services } = context
    const now = services.now()
    await assertMayAct(transaction, context, approval?.approver ?? operator)
    if (approval) {
      await assertStillHasRole(transaction, context)
      await claimApproval(transaction, { id: approval.id, by: approval.approver.id, now })
    }
    const actor = actorOf(context)
    const result = await work({
      ...{ transaction, now, made: approval?.made },
      record: async (act) => void (await recordAct(transaction, { ...actor, ...act })),
    })
    if (approval) {
      const { id, act, hash, approver } = approval
      await recordAct(transaction, {
        ...actorOf({ ...context, operator: approver, isAlone: false }),
        ...{ source: context.address, act: 'approval.approve', subject: id },
        after: { act, hash, requestedBy: operator.name },
      })
    }
    return result
  })

/** Who acts, as the audit log names them. */
const actorOf = ({
  operator: { name, address, identity, isBreakGlass },
  isAlone,
}: Pick<OperatorContext, 'operator' | 'isAlone'>): Actor => ({
  ...{ actor: `console:${name}`, source: address },
  identity: identity ?? (isBreakGlass ? { breakGlass: true, ...(isAlone && { alone: true }) } : undefined),
})

async function assertMayAct(
  transaction: Transaction<Database>,
  { neededRole, services }: OperatorContext,
  { id, sessionId, proof }: SignedInOperator,
): Promise<void> {
  const row = await transaction
    .selectFrom('operators')
    .innerJoin('operator_sessions as session', 'session.operator_id', 'operators.id')
    .select('role')
    .where('operators.id', '=', id)
    .where('operators.disabled_at', 'is', null)
    .where('session.id', '=', sessionId)
    .where('session.revoked_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!row || !includesRole(row.role, neededRole)) {
    throw new LanyardError('FORBIDDEN', { message: `This needs the role ${neededRole}. Nothing was done.` })
  }
  if (proof && services.now().getTime() - proof.provedAt.getTime() > maxProofAge) {
    throw new LanyardError('FORBIDDEN', {
      message:
        'The identity provider does not answer, so it cannot say whether you still have this role. You can read for a few minutes. Nothing was done.',
    })
  }
}

/** The requester of an approved act, who may have been signed out long ago. */
async function assertStillHasRole(
  transaction: Transaction<Database>,
  { operator, neededRole }: OperatorContext,
): Promise<void> {
  const row = await transaction
    .selectFrom('operators')
    .select('role')
    .where('id', '=', operator.id)
    .where('disabled_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (row && includesRole(row.role, neededRole)) return
  throw new LanyardError('FORBIDDEN', {
    message: `${operator.name} requested this and no longer has the role ${neededRole}. Reject it. Nothing was done.`,
  })
}
