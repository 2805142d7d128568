import { type Database, type MessageKind, nextAttempt } from '@lanyard/database'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Address } from 'viem'
import { chargeForSteps } from '../recovery/step-gas.ts'

export type MessageProgress = Selectable<Database['message_progress']>

/** Milliseconds between attempts, doubled each time. */
const backoff = { initial: 10_000, max: 3_600_000 } as const

/** Messages of one account that may be due together: more changes are not accepted before a network has them. */
const maxOfAccount = 16

/** What stops a theft comes first. */
const order: readonly MessageKind[] = ['cancellation', 'change', 'recovery']

/** How far each network is with the messages of an account. */
export const listProgress = (database: Kysely<Database>, account: Address) =>
  database.selectFrom('message_progress').selectAll().where('account', '=', account.toLowerCase()).execute()

/**
 * Accounts with messages to apply or to check on a network now, the longest due first. Each kind has a limit of its own, so
 * that none waits for the others. Changes of accounts of which a recovery runs there are a kind by themselves: others' changes
 * cost nothing to sign, and do not keep an owner from stopping a theft.
 *
 * @param limit - accounts of each kind
 */
export async function findDueAccounts(
  database: Kysely<Database>,
  network: number,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<readonly string[]> {
  const due = (kind: MessageKind, turn: number) => sql`(
    select account, ${sql.lit(turn)} as turn, min(next_attempt_at) as since from (
      select account, next_attempt_at from message_progress
      where network = ${network}::int8 and kind = ${sql.lit(kind)} and not final
        and next_attempt_at <= ${now}::timestamptz
      order by next_attempt_at limit ${limit * maxOfAccount}::int4
    ) as waiting
    group by account order by since, account limit ${limit}::int4
  )`
  const stopping = sql`(
    select account, -1 as turn, min(message.next_attempt_at) as since
    from message_progress as recovery join message_progress as message using (network, account)
    where recovery.network = ${network}::int8 and recovery.kind = 'recovery' and recovery.state = 'running'
      and not recovery.final and message.kind <> 'recovery' and not message.final
      and message.next_attempt_at <= ${now}::timestamptz
    group by account order by since, account limit ${limit}::int4
  )`
  const { rows } = await sql<{ account: string }>`
    select account from (${sql.join([stopping, ...order.map(due)], sql` union all `)}) as due
    group by account order by min(turn), min(since), account`.execute(database)
  return rows.map(({ account }) => account)
}

/** Lets networks wait for a message. One that waited for a further signature is due at once. */
export async function addProgress(
  database: Kysely<Database>,
  message: Pick<MessageProgress, 'account' | 'hash' | 'kind'>,
  { networks, now }: { readonly networks: readonly number[]; readonly now: Date },
): Promise<void> {
  if (networks.length === 0) return
  const since = { next_attempt_at: now, reason: null, sent_at: null, head: null, executed_at: null }
  await database
    .insertInto('message_progress')
    .values(
      networks.map((network) => ({ ...message, account: message.account.toLowerCase(), network, ...since })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'account', 'hash'])
        .doUpdateSet({ next_attempt_at: now })
        .where('message_progress.final', '=', false),
    )
    .execute()
}

/**
 * Writes the beginning of an attempt: whatever happens then, the next one comes later. A signature that is kept at this
 * moment is waited for: the attempt reads it, or it finds these rows and makes them due.
 *
 * @returns the messages that take part: those that are due, and with one change all changes, since they follow each other
 */
export async function beginAttempt(
  database: Kysely<Database>,
  { account, network, now }: { readonly account: Address; readonly network: number; readonly now: Date },
): Promise<readonly MessageProgress[]> {
  const key = account.toLowerCase()
  return database.transaction().execute(async (transaction) => {
    await transaction.selectFrom('accounts').select('address').where('address', '=', key).forShare().execute()
    const rows = await transaction
      .selectFrom('message_progress')
      .selectAll()
      .where('network', '=', network)
      .where('account', '=', key)
      .where('final', '=', false)
      .execute()
    const isDue = (row: MessageProgress) => row.next_attempt_at.getTime() <= now.getTime()
    const isChangeDue = rows.some((row) => row.kind === 'change' && isDue(row))
    const begun = []
    for (const row of rows) {
      if (!isDue(row) && !(row.kind === 'change' && isChangeDue)) continue
      const next = {
        ...row,
        attempts: row.attempts + 1,
        next_attempt_at: nextAttempt(row.attempts, now, backoff),
      }
      await recordProgress(transaction, next, row.next_attempt_at)
      begun.push(next)
    }
    return begun
  })
}

/**
 * Writes how far a network is with a message.
 *
 * @param expected - the time of the next attempt that the attempt wrote or read last. If the row has another one, a
 * signature or a request has made it due meanwhile, and it stays due.
 */
export async function recordProgress(
  database: Kysely<Database>,
  progress: MessageProgress,
  expected: Date,
): Promise<void> {
  const { account, hash, network, kind: _, next_attempt_at, ...values } = progress
  await database
    .updateTable('message_progress')
    .set({
      ...values,
      next_attempt_at: sql<Date>`case when next_attempt_at = ${expected}::timestamptz
        then ${next_attempt_at}::timestamptz else least(next_attempt_at, ${next_attempt_at}::timestamptz) end`,
    })
    .where('network', '=', network)
    .where('account', '=', account)
    .where('hash', '=', hash)
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
    .updateTable('message_progress')
    .set({ next_attempt_at: now })
    .where('account', '=', key)
    .where('hash', '=', hash)
    .where('final', '=', false)
    .where('next_attempt_at', '>', now)
    .executeTakeFirst()
  chargeForSteps(Number(numUpdatedRows))
  return true
}
