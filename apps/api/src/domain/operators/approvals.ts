import { randomBytes } from 'node:crypto'
import { LanyardError } from '@lanyard/contracts'
import type { Database, OperatorApprovalsTable } from '@lanyard/database'
import type { Kysely, Selectable, Transaction } from 'kysely'
import { recordAct } from '../../platform/audit/record-act.ts'

/** Milliseconds that a requested act waits for a second person. */
const lifetime = 24 * 60 * 60_000

/** Requests of one operator that wait at the same time. */
const maxWaiting = 20

/** Milliseconds for which a decided request is shown. The audit log keeps it. */
const shownFor = 30 * 24 * 60 * 60_000

export type Approval = Selectable<OperatorApprovalsTable>

type NewApproval = Pick<Approval, 'act' | 'input' | 'hash' | 'address'> & {
  readonly made: { readonly id: string; readonly hash: string } | undefined
  readonly operatorId: string
  readonly now: Date
}

/** @throws RATE_LIMITED if the operator has too many that wait */
export async function requestApproval(
  transaction: Transaction<Database>,
  { operatorId, now, input, made, ...given }: NewApproval,
): Promise<Pick<Approval, 'id' | 'expires_at'>> {
  await transaction
    .selectFrom('operators')
    .select('id')
    .where('id', '=', operatorId)
    .forUpdate()
    .executeTakeFirst()
  const { count } = await transaction
    .selectFrom('operator_approvals')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('requested_by', '=', operatorId)
    .where('state', '=', 'waiting')
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxWaiting) {
    throw new LanyardError('RATE_LIMITED', {
      message: `You have ${maxWaiting} requests that wait for a second person. Withdraw one first.`,
    })
  }
  await transaction
    .deleteFrom('operator_approvals')
    .where('requested_at', '<', new Date(now.getTime() - shownFor))
    .where('state', '<>', 'waiting')
    .execute()
  const id = `apr_${randomBytes(9).toString('base64url')}`
  const expires_at = new Date(now.getTime() + lifetime)
  await transaction
    .insertInto('operator_approvals')
    .values({
      ...{ ...given, id, requested_by: operatorId, requested_at: now, expires_at },
      ...{ input: JSON.stringify(input), made: made ? JSON.stringify(made) : null },
    })
    .execute()
  return { id, expires_at }
}

const decidedMeanwhile = () =>
  new LanyardError('INVALID_INPUT', {
    message: 'This request was decided meanwhile, or has expired. Nothing was done.',
  })

/** A request that still waits. @throws INVALID_INPUT */
export async function findWaiting(database: Kysely<Database>, id: string, now: Date): Promise<Approval> {
  const row = await database
    .selectFrom('operator_approvals')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!row) throw decidedMeanwhile()
  return row
}

interface Decision {
  readonly id: string
  readonly by: string
  readonly now: Date
}

/** Of two decisions at once, the second waits for the first, and finds that nothing waits any more. */
async function decide(
  transaction: Transaction<Database>,
  { id, by, now }: Decision,
  { state, isOwn }: { readonly state: 'approved' | 'rejected' | 'withdrawn'; readonly isOwn: boolean },
): Promise<void> {
  const decided = await transaction
    .updateTable('operator_approvals')
    .set({ state, decided_by: by, decided_at: now })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('expires_at', '>', now)
    .where('requested_by', isOwn ? '=' : '<>', by)
    .returning('id')
    .executeTakeFirst()
  if (!decided) throw decidedMeanwhile()
}

/** Uses an approval up, in the transaction of its act. Never by its requester. @throws INVALID_INPUT */
export const claimApproval = (transaction: Transaction<Database>, decision: Decision): Promise<void> =>
  decide(transaction, decision, { state: 'approved', isOwn: false })

/** By anybody but its requester. @throws INVALID_INPUT */
export const rejectApproval = (transaction: Transaction<Database>, decision: Decision): Promise<void> =>
  decide(transaction, decision, { state: 'rejected', isOwn: false })

/** By its requester. @throws INVALID_INPUT */
export const withdrawApproval = (transaction: Transaction<Database>, decision: Decision): Promise<void> =>
  decide(transaction, decision, { state: 'withdrawn', isOwn: true })

/** Requests that wait, and those that were decided lately, newest first. */
export const listApprovals = (database: Kysely<Database>) =>
  database
    .selectFrom('operator_approvals as approval')
    .innerJoin('operators as requester', 'requester.id', 'approval.requested_by')
    .leftJoin('operators as decider', 'decider.id', 'approval.decided_by')
    .leftJoin('operator_identities as person', 'person.operator_id', 'approval.requested_by')
    .select(['approval.id', 'act', 'input', 'hash', 'requested_by', 'requested_at', 'expires_at', 'state'])
    .select(['decided_at', 'requester.name as requester', 'decider.name as decider', 'person.issuer'])
    .orderBy('requested_at', 'desc')
    .limit(100)
    .execute()

/** Writes the end of requests that were not decided in time. They count for nothing from that time on, recorded or not. */
export async function expireApprovals(database: Kysely<Database>, now: Date): Promise<void> {
  const due = database
    .selectFrom('operator_approvals')
    .select('id')
    .where('state', '=', 'waiting')
    .where('expires_at', '<=', now)
  if (!(await due.limit(1).executeTakeFirst())) return
  await database.transaction().execute(async (transaction) => {
    const expired = await transaction
      .updateTable('operator_approvals')
      .set({ state: 'expired', decided_at: now })
      .where('state', '=', 'waiting')
      .where('expires_at', '<=', now)
      .returning(['id', 'act', 'hash'])
      .execute()
    for (const { id, act, hash } of expired) {
      await recordAct(transaction, {
        ...{ actor: 'service:admin', source: 'console', act: 'approval.expire', subject: id },
        after: { act, hash },
      })
    }
  })
}
