import { type Kysely, sql, type Transaction } from 'kysely'
import { batched, perDatabase } from '../batched.ts'
import type { Database, OperationRow } from '../schema.ts'
import { dropFollowers } from './drop-followers.ts'

/** A row as it was read: not included meanwhile, nor delivered by another process. */
const updateAsDelivered = (
  database: Kysely<Database>,
  { user_op_hash, state, attempts }: Pick<OperationRow, 'user_op_hash' | 'state' | 'attempts'>,
) =>
  database
    .updateTable('operations')
    .where('user_op_hash', '=', user_op_hash)
    .where('state', '=', state)
    .where('attempts', '=', attempts)

/** Why an operation is where it is: an error code of ours, or the entry point's own name. */
export type OperationReason = Pick<OperationRow, 'reason_code' | 'reason_message'>

/**
 * Counts a delivery before it is made.
 *
 * @returns the row as it is then; undefined when another process was first
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
 * `submitting → submitted`: the bundler has it. All that come at once are written by one statement.
 *
 * @param nextAttemptAt - when it is delivered again; null where the bundler forgets nothing
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
 * `submitting → built`: refused before it was under way. Its nonce is free, the build waits for another signature.
 *
 * @returns whether it was as it was delivered
 */
export async function recordUnsent(
  transaction: Transaction<Database>,
  row: OperationRow,
  reason: OperationReason,
): Promise<boolean> {
  const unsent = await updateAsDelivered(transaction, row)
    // When it was signed stays: its signature is out, and another bundler may include it.
    .set({ ...reason, state: 'built', signature: null, next_attempt_at: null })
    .returning('user_op_hash')
    .executeTakeFirst()
  return unsent !== undefined
}

/**
 * `submitting | submitted → dropped`: refused, and it can never be included. So are those that follow it.
 *
 * @param isTaken - another operation has its nonce: then the ones that follow may still come
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

/** It waits, and is delivered again. */
export async function scheduleDelivery(
  database: Kysely<Database>,
  row: OperationRow,
  change: OperationReason & { readonly next_attempt_at: Date },
): Promise<void> {
  await updateAsDelivered(database, row).set(change).execute()
}
