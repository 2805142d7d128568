import type { Database } from '@lanyard/database'
import type { Kysely, Selectable } from 'kysely'
import type { Address, Hash, Hex } from 'viem'
import { makeGuardianCheckDue, setGuardiansKind } from '../guardians/guardian-check-due.ts'
import { addProgress } from '../messages/message-progress.ts'

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
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('owner_changes')
      .values({ account: key, sequence, kind, data, signature, hash, sent_by: sentBy, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    const kept = await transaction
      .selectFrom('owner_changes')
      .selectAll()
      .where('account', '=', key)
      .where('sequence', '=', sequence)
      .executeTakeFirstOrThrow()
    if (kept.hash === hash && kind === setGuardiansKind) {
      await makeGuardianCheckDue(transaction, account, new Date(now.getTime() + firstGuardianCheck))
    }
    if (numInsertedOrUpdatedRows) {
      await addProgress(transaction, { account, hash, kind: 'change' }, { networks, now })
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
    const paid = await transaction
      .updateTable('owner_changes')
      .set({ sent_by: sentBy })
      .where('account', '=', key)
      .where('sequence', '=', sequence)
      .where('sent_by', '<>', sentBy)
      .returning('hash')
      .executeTakeFirst()
    if (!paid) return
    await transaction
      .updateTable('message_progress')
      .set({ next_attempt_at: now })
      .where('account', '=', key)
      .where('hash', '=', paid.hash)
      .where('final', '=', false)
      .where('reason', '=', 'BUDGET_SPENT')
      .execute()
  })
}
