import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, OperationRow } from '../schema.ts'
import { batched, perDatabase } from '../statements.ts'
import { dropFollowers } from './drop-operations.ts'

/** Updates a row only if it has been neither included nor delivered by another process since it was read. */
const updateAsDelivered = (
  database: Kysely<Database>,
  { user_op_hash, state, attempts }: Pick<OperationRow, 'user_op_hash' | 'state' | 'attempts'>,
) =>
  database
    .updateTable('operations')
    .where('user_op_hash', '=', user_op_hash)
    .where('state', '=', state)
    .where('attempts', '=', attempts)

/** The reason for an operation's state: one of our error codes, or EntryPoint's own name. */
export type OperationReason = Pick<OperationRow, 'reason_code' | 'reason_message'>

/**
 * Counts a delivery before it is made.
 *
 * @returns the updated row; undefined if another process was first
 */
export const beginDelivery = (
  database: Kysely<Database>,
  row: OperationRow,
  nextAttemptAt: Date,
): Promise<OperationRow | undefined> =>
  updateAsDelivered(database, row)
    .set({ attempts: row.attempts + 1, next_attempt_at: nextAttemptAt })
    .returningAll()
    .executeTakeFirst()

/**
 * `submitting → submitted`: the bundler has it. Concurrent calls share one statement.
 *
 * @param nextAttemptAt - when it is delivered again; null if the bundler forgets nothing
 */
export const recordSubmitted = (
  database: Kysely<Database>,
  userOpHash: string,
  nextAttemptAt: Date | null,
): Promise<void> => writeSubmitted(database)({ userOpHash, nextAttemptAt })

interface Submitted {
  readonly userOpHash: string
  readonly nextAttemptAt: Date | null
}

const writeSubmitted = perDatabase((database) =>
  batched(async (all: readonly Submitted[]) => {
    await sql`update operations set state = 'submitted', next_attempt_at = submitted.next_attempt_at
      from unnest(
        ${all.map(({ userOpHash }) => userOpHash)}::text[],
        ${all.map(({ nextAttemptAt }) => nextAttemptAt)}::timestamptz[]
      ) as submitted (user_op_hash, next_attempt_at)
      where operations.user_op_hash = submitted.user_op_hash
        and operations.state in ('submitting', 'submitted')`.execute(database)
    return all.map(() => undefined)
  }),
)

/**
 * `submitting → built`: rejected before it was sent. Its nonce is free, and the build waits for another
 * signature.
 *
 * @returns whether the row was unchanged since its delivery
 */
export async function recordUnsent(
  transaction: Transaction<Database>,
  row: OperationRow,
  reason: OperationReason,
): Promise<boolean> {
  const unsent = await updateAsDelivered(transaction, row)
    // signed_at stays: the signature has been published, and another bundler may include it.
    .set({ ...reason, state: 'built', signature: null, eip7702_auth: null, next_attempt_at: null })
    .returning('user_op_hash')
    .executeTakeFirst()
  return unsent !== undefined
}

/**
 * `submitting
 * submitted → dropped`: rejected, and it can never be included. The operations that depend on it are dropped
 * too.
 *
 * @param isTaken - another operation has its nonce, so the later ones may still be included
 */
export async function recordRejection(
  transaction: Transaction<Database>,
  row: OperationRow,
  { isTaken, ...reason }: OperationReason & { readonly isTaken: boolean },
): Promise<void> {
  const dropped = await updateAsDelivered(transaction, row)
    .set({ ...reason, state: 'dropped', next_attempt_at: null })
    .returning('user_op_hash')
    .executeTakeFirst()
  if (dropped && !isTaken) await dropFollowers(transaction, row)
}

/** Leaves it waiting and schedules another delivery. */
export async function scheduleDelivery(
  database: Kysely<Database>,
  row: OperationRow,
  change: OperationReason & { readonly next_attempt_at: Date },
): Promise<void> {
  await updateAsDelivered(database, row).set(change).execute()
}
