import type { Database } from '@lanyard/database'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Address, Hash, Hex } from 'viem'
import { makeGuardianCheckDue, setGuardiansKind } from '../guardians/guardian-check-due.ts'

/** Milliseconds in which networks get the guardians, and their proofs arrive. */
const firstGuardianCheck = 60_000

/** A change that an owner signed, as anyone may apply it on any network. */
export interface SignedChange {
  readonly sequence: bigint
  readonly kind: Hex
  readonly data: Hex
  readonly signature: Hex
  readonly hash: Hash
  readonly sentBy: string
}

const toSignedChange = (row: Selectable<Database['owner_changes']>): SignedChange => ({
  sequence: row.sequence,
  // The columns hold what was parsed as hex.
  kind: row.kind as Hex,
  data: row.data as Hex,
  signature: row.signature as Hex,
  hash: row.hash as Hash,
  sentBy: row.sent_by,
})

/** The signed changes of an account, by sequence. */
export async function listSignedChanges(
  database: Kysely<Database>,
  account: Address,
): Promise<readonly SignedChange[]> {
  const rows = await database
    .selectFrom('owner_changes')
    .selectAll()
    .where('account', '=', account.toLowerCase())
    .orderBy('sequence')
    .execute()
  return rows.map(toSignedChange)
}

/**
 * Keeps a signed change, and that it is pending on the given networks, in one transaction. A sequence is taken only
 * once: two changes of one sequence would split the networks.
 *
 * @returns the change that has the sequence, this one or an earlier one
 */
export async function keepSignedChange(
  database: Kysely<Database>,
  account: Address,
  change: SignedChange,
  { networks, now }: { readonly networks: readonly number[]; readonly now: Date },
): Promise<SignedChange> {
  return database.transaction().execute(async (transaction) => {
    const { sequence, kind, data, signature, hash, sentBy } = change
    const key = account.toLowerCase()
    await transaction
      .insertInto('owner_changes')
      .values({ account: key, sequence, kind, data, signature, hash, sent_by: sentBy, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const kept = await transaction
      .selectFrom('owner_changes')
      .selectAll()
      .where('account', '=', key)
      .where('sequence', '=', sequence)
      .executeTakeFirstOrThrow()
    if (kept.hash === hash && kind === setGuardiansKind) {
      await makeGuardianCheckDue(transaction, account, new Date(now.getTime() + firstGuardianCheck))
    }
    if (kept.hash === hash && networks.length > 0) {
      await transaction
        .insertInto('owner_change_progress')
        .values(
          networks.map((network) => ({
            account: key,
            sequence,
            network,
            state: 'pending' as const,
            reason: null,
            next_attempt_at: now,
            sent_at: null,
            applied_at: null,
          })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    return toSignedChange(kept)
  })
}

/** Lets another caller pay for a change that was submitted before, and makes it due where the budget was spent. */
export async function payForChange(
  database: Kysely<Database>,
  account: Address,
  { sequence, sentBy, now }: { readonly sequence: bigint; readonly sentBy: string; readonly now: Date },
): Promise<void> {
  const key = account.toLowerCase()
  await database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('owner_changes')
      .set({ sent_by: sentBy })
      .where('account', '=', key)
      .where('sequence', '=', sequence)
      .where('sent_by', '<>', sentBy)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await transaction
      .updateTable('owner_change_progress')
      .set({ next_attempt_at: now })
      .where('account', '=', key)
      .where('sequence', '=', sequence)
      .where('state', '<>', 'final')
      .where('reason', '=', 'BUDGET_SPENT')
      .execute()
  })
}

/** Changes of one account that may be due together: more are not accepted before a network has them. */
const maxOfAccount = 16

/** Accounts with changes to apply or to check on a network now, the longest due first. */
export async function findDueAccounts(
  database: Kysely<Database>,
  network: number,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<readonly string[]> {
  const { rows } = await sql<{ account: string }>`
    select account from (
      select account, next_attempt_at from owner_change_progress
      where network = ${network}::int8 and state <> 'final' and next_attempt_at <= ${now}::timestamptz
      order by next_attempt_at limit ${limit * maxOfAccount}::int4
    ) as due
    group by account order by min(next_attempt_at), account limit ${limit}::int4`.execute(database)
  return rows.map(({ account }) => account)
}

/** How far a network is with each change. */
export async function listProgress(database: Kysely<Database>, account: Address) {
  return database
    .selectFrom('owner_change_progress')
    .selectAll()
    .where('account', '=', account.toLowerCase())
    .execute()
}

export type Progress = Awaited<ReturnType<typeof listProgress>>[number]

/** Writes how far a network is with a change. */
export async function recordProgress(
  database: Kysely<Database>,
  account: Address,
  progress: Omit<Progress, 'account'>,
): Promise<void> {
  const { state, reason, attempts, next_attempt_at, sent_at, applied_at } = progress
  await database
    .insertInto('owner_change_progress')
    .values({ account: account.toLowerCase(), ...progress })
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'account', 'sequence'])
        .doUpdateSet({ state, reason, attempts, next_attempt_at, sent_at, applied_at }),
    )
    .execute()
}
