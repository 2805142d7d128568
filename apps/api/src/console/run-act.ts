import { LanyardError } from '@lanyard/contracts'
import { includesRole } from '../domain/operators/operator-roles.ts'
import { recordAct } from '../platform/audit/record-act.ts'
import type { RunAct } from './console-context.ts'

/**
 * Checks the role again inside the act's transaction and holds it until the commit: a role that an administrator takes
 * away meanwhile either comes after the act, or prevents it.
 */
export const runAct: RunAct = (context, work) =>
  context.database.transaction().execute(async (transaction) => {
    const { operator, neededRole, address } = context
    const row = await transaction
      .selectFrom('operators')
      .innerJoin('operator_sessions as session', 'session.operator_id', 'operators.id')
      .select('role')
      .where('operators.id', '=', operator.id)
      .where('operators.disabled_at', 'is', null)
      .where('session.id', '=', operator.sessionId)
      .where('session.revoked_at', 'is', null)
      .forShare()
      .executeTakeFirst()
    if (!row || !includesRole(row.role, neededRole)) {
      throw new LanyardError('FORBIDDEN', { message: `This needs the role ${neededRole}. Nothing was done.` })
    }
    const actor = { actor: `console:${operator.name}`, source: address }
    return work({
      transaction,
      now: context.services.now(),
      record: async (act) => void (await recordAct(transaction, { ...actor, ...act })),
    })
  })
