import type { Database } from '@lanyard/database'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Address } from 'viem'
import { type GuardianMessage, toGuardianMessage } from './recovery.ts'
import { chargeForSteps } from './step-gas.ts'

export type RecoveryProgress = Selectable<Database['recovery_progress']>

/** How far each network is with the recoveries of an account. */
export const listRecoveryProgress = (database: Kysely<Database>, account: Address) =>
  database.selectFrom('recovery_progress').selectAll().where('account', '=', account.toLowerCase()).execute()

/**
 * What enough guardians signed, and is to be started, executed or checked on a network now, the longest due first. What takes
 * recoveries back comes before what starts one.
 */
export async function findDueRecoveries(
  database: Kysely<Database>,
  network: number,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<readonly GuardianMessage[]> {
  const due = (starts: boolean) => sql`(
    select account, hash, starts, next_attempt_at from recovery_progress
    where network = ${network}::int8 and not final and starts = ${sql.lit(starts)}
      and next_attempt_at <= ${now}::timestamptz
    order by next_attempt_at limit ${limit}::int4
  )`
  const { rows } = await sql<Selectable<Database['recoveries']>>`
    select recovery.* from (${due(false)} union all ${due(true)}) as due
      join recoveries as recovery on recovery.account = due.account and recovery.hash = due.hash
    order by due.starts, due.next_attempt_at limit ${limit}::int4`.execute(database)
  return rows.map(toGuardianMessage)
}

/**
 * Writes the beginning of an attempt. A signature that is kept at this moment is waited for: the attempt reads it, or
 * it finds this row and makes it due.
 */
export async function beginAttempt(
  database: Kysely<Database>,
  progress: RecoveryProgress,
  expected: Date,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await transaction
      .selectFrom('accounts')
      .select('address')
      .where('address', '=', progress.account)
      .forShare()
      .execute()
    await recordRecoveryProgress(transaction, progress, expected)
  })
}

/**
 * Writes how far a network is with a recovery.
 *
 * @param expected - the time of the next attempt that the attempt wrote or read last. If the row has another one, a
 * signature or a request has made it due meanwhile, and it stays due.
 */
export async function recordRecoveryProgress(
  database: Kysely<Database>,
  progress: RecoveryProgress,
  expected: Date,
): Promise<void> {
  const { state, final, reason, attempts, next_attempt_at, sent_at, head, executed_at } = progress
  await database
    .insertInto('recovery_progress')
    .values(progress)
    .onConflict((conflict) =>
      conflict.columns(['network', 'account', 'hash']).doUpdateSet({
        ...{ state, final, reason, attempts, sent_at, head, executed_at },
        next_attempt_at: sql<Date>`case when recovery_progress.next_attempt_at = ${expected}::timestamptz
            then ${next_attempt_at}::timestamptz
            else least(recovery_progress.next_attempt_at, ${next_attempt_at}::timestamptz) end`,
      }),
    )
    .execute()
}

/**
 * Makes a recovery due on each network where something is left to do. The call in progress is charged for these steps.
 *
 * @returns false if no guardian signed it here
 */
export async function makeRecoveryDue(
  database: Kysely<Database>,
  { account, hash, now }: { readonly account: Address; readonly hash: string; readonly now: Date },
): Promise<boolean> {
  const key = account.toLowerCase()
  const found = await database
    .selectFrom('recoveries')
    .select('hash')
    .where('account', '=', key)
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (!found) return false
  const { numUpdatedRows } = await database
    .updateTable('recovery_progress')
    .set({ next_attempt_at: now })
    .where('account', '=', key)
    .where('hash', '=', hash)
    .where('final', '=', false)
    .where('next_attempt_at', '>', now)
    .executeTakeFirst()
  chargeForSteps(Number(numUpdatedRows))
  return true
}
