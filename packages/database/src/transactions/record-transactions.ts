import type { Kysely, QueryCreator, Selectable, Transaction, UpdateQueryBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Database, NewRelayerTransactionRow, RelayerTransactionRow } from '../schema.ts'

/*
 * The transitions of a relayer's transaction: live when it is signed, then mined or lost; a reorg makes it live again. A
 * bundle's row is written with its links to operations (operations/bundle-queue.ts), and the inclusion of one of them marks
 * it mined (operations/record-inclusion.ts), each in one statement.
 */

/** The statement that renews the sender's lease; it returns a row while the lease is held. */
type Renewal = (
  database: QueryCreator<Database>,
) => UpdateQueryBuilder<
  Database,
  'relayer_leases',
  'relayer_leases',
  Pick<Selectable<Database['relayer_leases']>, 'fence'>
>

/**
 * Writes a signed transaction before it is sent. The same bytes may have been lost before: signing is deterministic, and the
 * nonce is free again.
 *
 * @param intent - what a call of the sender's own achieves
 */
export async function insertTransaction(
  transaction: Transaction<Database>,
  row: NewRelayerTransactionRow,
  intent: string | null,
): Promise<void> {
  await transaction
    .insertInto('relayer_transactions')
    .values({ ...row, intent })
    .onConflict((conflict) =>
      conflict.column('txn_hash').doUpdateSet({
        state: 'live',
        block_number: null,
        block_hash: null,
        created_at: row.created_at,
        sent_at: null,
      }),
    )
    .execute()
}

interface Sent {
  readonly hash: string
  readonly at: Date
  /** The node rejected it: it waits in no pool, and its nonce is used again. */
  readonly isLost: boolean
}

/** Records when the bytes were last sent. @returns false if the lease is lost */
export async function markSent(
  database: Kysely<Database>,
  { hash, at, isLost }: Sent,
  renew: Renewal,
): Promise<boolean> {
  const recorded = await database
    .with('held', renew)
    .updateTable('relayer_transactions')
    .from('held')
    .set({ sent_at: at, ...(isLost ? { state: 'lost' } : {}) })
    .where('txn_hash', '=', hash)
    .executeTakeFirst()
  return recorded.numUpdatedRows === 1n
}

/**
 * Records when the node accepted transactions, in the statement that releases the sender's lease. Nothing is written if the
 * lease is lost.
 *
 * @param release - releases the lease, and returns a row if it was still held
 */
export async function markAccepted(
  database: Kysely<Database>,
  accepted: ReadonlyMap<string, Date>,
  release: Renewal,
): Promise<void> {
  const seen = sql<{ txn_hash: string; sent_at: Date }>`unnest(
    ${[...accepted.keys()]}::text[], ${[...accepted.values()]}::timestamptz[]
  )`.as<'seen'>(sql`seen (txn_hash, sent_at)`)
  await database
    .with('held', release)
    .updateTable('relayer_transactions as tx')
    .from(['held', seen])
    .set((eb) => ({ sent_at: eb.ref('seen.sent_at') }))
    .whereRef('tx.txn_hash', '=', 'seen.txn_hash')
    .execute()
}

/** Gives transactions up that wait in no pool: another sender sends their contents. */
export async function markLost(transaction: Transaction<Database>, hashes: readonly string[]): Promise<void> {
  await transaction
    .updateTable('relayer_transactions')
    .set({ state: 'lost' })
    .where('txn_hash', 'in', hashes)
    .where('state', '=', 'live')
    .execute()
}

/** What the chain says of a transaction. */
export type TransactionOutcome = Pick<
  RelayerTransactionRow,
  'txn_hash' | 'state' | 'block_number' | 'block_hash'
>

/** Writes outcomes in one statement. @returns false if the lease is lost */
export async function recordTransactionOutcomes(
  database: Kysely<Database>,
  outcomes: readonly TransactionOutcome[],
  renew: Renewal,
): Promise<boolean> {
  const column = <T>(value: (outcome: TransactionOutcome) => T) => outcomes.map(value)
  const seen = sql<TransactionOutcome>`unnest(
    ${column(({ txn_hash }) => txn_hash)}::text[], ${column(({ state }) => state)}::text[],
    ${column(({ block_number }) => block_number)}::int8[], ${column(({ block_hash }) => block_hash)}::text[]
  )`.as<'seen'>(sql`seen (txn_hash, state, block_number, block_hash)`)
  const { numUpdatedRows } = await database
    .with('held', renew)
    .updateTable('relayer_transactions as tx')
    .from(['held', seen])
    .set((eb) => ({
      state: eb.ref('seen.state'),
      block_number: eb.ref('seen.block_number'),
      block_hash: eb.ref('seen.block_hash'),
      // A transaction that a reorg removed is assumed to be in no pool.
      sent_at: sql`case when seen.state = 'live' then null else tx.sent_at end`,
    }))
    .whereRef('tx.txn_hash', '=', 'seen.txn_hash')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** What a mined transaction cost and what EntryPoint paid for its operations, wei; absent if a reorg removed it. */
export interface AuditedTransaction {
  readonly hash: string
  readonly result: { readonly spent: bigint; readonly earned: bigint } | undefined
}

/** Records that mined transactions were compared with what they earned. */
export async function recordAudits(
  transaction: Transaction<Database>,
  audited: readonly AuditedTransaction[],
): Promise<void> {
  const seen = audited.map(({ hash, result }) => ({
    ...{ txn_hash: hash, spent: result && String(result.spent), earned: result && String(result.earned) },
  }))
  await sql`
    update relayer_transactions as tx set audited = true, spent = seen.spent, earned = seen.earned
    from jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) as seen(txn_hash text, spent numeric, earned numeric)
    where tx.txn_hash = seen.txn_hash and tx.state = 'mined'`.execute(transaction)
}
