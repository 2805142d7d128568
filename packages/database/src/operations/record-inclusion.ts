import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, OperationRow } from '../schema.ts'
import { batched, perDatabase } from '../statements.ts'
import type { OperationPosition } from './drop-operations.ts'

/** The inclusion of an operation according to a block, in anyone's bundle. */
export interface OperationInclusion {
  readonly userOpHash: string
  readonly txnHash: string
  readonly blockNumber: bigint
  readonly blockHash: string
  readonly timestamp: Date
  readonly success: boolean
  /** wei */
  readonly gasCost: bigint
  /** Base units of the token in which it pays its gas; undefined: it paid none. */
  readonly feePaid?: bigint | undefined
  /** Why the calls reverted. */
  readonly revertReason: string | undefined
}

/**
 * Writes an inclusion: the operation becomes `included`, the relayer transaction that contains it `mined`, and
 * operations with the same nonce are dropped. Concurrent calls share one statement. A row that is final, or that
 * already has this inclusion, does not change.
 *
 * @returns the row if it has changed
 */
export const recordInclusion = (
  database: Kysely<Database>,
  inclusion: OperationInclusion,
): Promise<OperationRow | undefined> => writeInclusion(database)(inclusion)

const writeInclusion = perDatabase((database) =>
  batched(async (all: readonly OperationInclusion[]) => {
    const written = new Map((await writeInclusions(database, all)).map((row) => [row.user_op_hash, row]))
    return all.map(({ userOpHash }) => written.get(userOpHash))
  }),
)

async function writeInclusions(
  database: Kysely<Database>,
  inclusions: readonly OperationInclusion[],
): Promise<OperationRow[]> {
  const rows = [...new Map(inclusions.map((one) => [one.userOpHash, one])).values()].map((one) => ({
    user_op_hash: one.userOpHash,
    ...inclusionColumns(one),
  }))
  const column = <K extends keyof (typeof rows)[number]>(name: K) => rows.map((row) => row[name])
  const { rows: written } = await sql<OperationRow>`with seen as (
      select * from unnest(
        ${column('user_op_hash')}::text[], ${column('txn_hash')}::text[], ${column('block_number')}::int8[],
        ${column('block_hash')}::text[], ${column('included_at')}::timestamptz[], ${column('success')}::bool[],
        ${column('gas_cost').map(String)}::numeric[],
        ${column('fee_paid').map((fee) => fee?.toString() ?? null)}::numeric[], ${column('reason_code')}::text[],
        ${column('reason_message')}::text[]
      ) as seen (
        user_op_hash, txn_hash, block_number, block_hash, included_at, success, gas_cost, fee_paid,
        reason_code, reason_message
      )
    ), locked as materialized (
      -- In one order, so that two processes that see one block do not wait for each other.
      select user_op_hash from operations where user_op_hash = any(${column('user_op_hash')}::text[])
      order by user_op_hash for no key update
    ), included as (
      update operations set
        state = 'included', final = false, txn_hash = seen.txn_hash, block_number = seen.block_number,
        block_hash = seen.block_hash, included_at = seen.included_at, success = seen.success,
        gas_cost = seen.gas_cost, fee_paid = seen.fee_paid, reason_code = seen.reason_code,
        reason_message = seen.reason_message, next_attempt_at = null
      from seen join locked using (user_op_hash)
      where operations.user_op_hash = seen.user_op_hash
        -- An end that we set is no end when the chain says otherwise.
        and (not operations.final or operations.state in ('dropped', 'expired'))
        and operations.signed_at_block is not null
        and (operations.state <> 'included' or operations.block_hash <> seen.block_hash)
      returning operations.*
    ), repaid as (
      -- A relayer sends no operation that does not repay what its account owed then (embedded/debts.ts).
      update relayer_losses loss set repaid_by = included.user_op_hash
      from included join relayer_transactions tx on tx.txn_hash = included.txn_hash
      where loss.network = included.network and loss.account = included.account
        and loss.owed > 0 and loss.repaid_by is null and loss.lost_at < tx.created_at
    ), mined as (
      -- Its event shows that the transaction succeeded, so its sender need not read the receipt, and that it is not
      -- lost: a provider's receipts may arrive late. A row that the sender is writing now is left to it: waiting for it
      -- here could deadlock.
      update relayer_transactions set
        state = 'mined', block_number = free.block_number, block_hash = free.block_hash
      from (
        select tx.txn_hash, included.block_number, included.block_hash
        from relayer_transactions as tx
          join (select distinct txn_hash, block_number, block_hash from included) as included using (txn_hash)
        where tx.txn_hash = any(${column('txn_hash')}::text[]) and tx.state in ('live', 'lost')
        for no key update of tx skip locked
      ) as free
      where relayer_transactions.txn_hash = free.txn_hash
    ), replaced as (
      update operations set
        state = 'dropped', reason_code = 'REPLACED',
        reason_message = 'Its nonce was used by ' || included.user_op_hash || '.'
      from included
      where operations.account = included.account and operations.network = included.network
        and operations.nonce_key = included.nonce_key and operations.nonce_sequence = included.nonce_sequence
        and not operations.user_op_hash = any(${column('user_op_hash')}::text[])
        and not operations.final and operations.state in ('submitting', 'submitted')
    )
    select * from included`.execute(database)
  return written
}

const lostTo = (userOpHash: string) => ({
  state: 'dropped' as const,
  reason_code: 'REPLACED',
  reason_message: `Its nonce was used by ${userOpHash}.`,
})

/** The columns that an inclusion sets. */
export const inclusionColumns = (inclusion: OperationInclusion) => ({
  state: 'included' as const,
  txn_hash: inclusion.txnHash,
  block_number: Number(inclusion.blockNumber),
  block_hash: inclusion.blockHash,
  included_at: inclusion.timestamp,
  success: inclusion.success,
  gas_cost: inclusion.gasCost,
  fee_paid: inclusion.feePaid ?? null,
  reason_code: inclusion.success ? null : 'EXECUTION_REVERTED',
  reason_message: inclusion.revertReason ?? null,
  next_attempt_at: null,
})

/** The nonce of an included operation is used, so others with that nonce can no longer be included. */
export async function dropCompetitors(
  transaction: Transaction<Database>,
  row: OperationPosition,
): Promise<void> {
  await transaction
    .updateTable('operations')
    .set(lostTo(row.user_op_hash))
    .where('account', '=', row.account)
    .where('network', '=', row.network)
    .where('nonce_key', '=', row.nonce_key)
    .where('nonce_sequence', '=', row.nonce_sequence)
    .where('user_op_hash', '<>', row.user_op_hash)
    .where('final', '=', false)
    .where('state', 'in', ['submitting', 'submitted'])
    .execute()
}

/** Marks the included operations of a network's final blocks as final. */
export async function finalizeBlocks(
  database: Kysely<Database>,
  network: number,
  blockHashes: readonly string[],
): Promise<void> {
  await database
    .updateTable('operations')
    .set({ final: true, next_attempt_at: null, sent_by: null })
    .where('network', '=', network)
    .where('state', '=', sql.lit('included'))
    .where('final', '=', sql.lit(false))
    .where('block_hash', 'in', blockHashes)
    .execute()
}

/** The end of an operation that was not included. The reason is set only if it differs from the row's. */
export type OperationEnd = { readonly state: 'dropped' | 'expired' } & Partial<
  Pick<OperationRow, 'reason_code' | 'reason_message'>
>

/**
 * `→ dropped
 * expired`, final: it is not included and never will be. Writes nothing if the row has changed in the
 * meantime.
 */
export async function endOperation(
  database: Kysely<Database>,
  row: OperationRow,
  end: OperationEnd,
): Promise<void> {
  await database
    .updateTable('operations')
    .set({ ...end, final: true, next_attempt_at: null, sent_by: null })
    .where('user_op_hash', '=', row.user_op_hash)
    .where('state', '=', row.state)
    .where('attempts', '=', row.attempts)
    .execute()
}

/** The operation was rejected here and nobody else accepted it, so it becomes an unsigned build again. */
export async function forgetSignature(database: Kysely<Database>, userOpHash: string): Promise<void> {
  await database
    .updateTable('operations')
    .set({ signed_at: null })
    .where('user_op_hash', '=', userOpHash)
    .where('state', '=', 'built')
    .where('signature', 'is', null)
    .execute()
}

/** The columns that an inclusion sets, without an inclusion. */
export const withoutInclusion = {
  txn_hash: null,
  block_number: null,
  block_hash: null,
  included_at: null,
  success: null,
  gas_cost: null,
  fee_paid: null,
  reason_code: 'REORGED',
}

/**
 * `included → submitted`: a reorg removed the operation's block. It waits again, and the worker sends the
 * identical operation. One that another bundler included has no signature here to send, and becomes
 * `dropped`.
 */
export async function recordReorg(database: Kysely<Database>, row: OperationRow, now: Date): Promise<void> {
  await database
    .updateTable('operations')
    .set({
      ...withoutInclusion,
      state: row.signature === null ? 'dropped' : 'submitted',
      reason_message: 'A reorg removed its block. It will be sent again.',
      next_attempt_at: now,
    })
    .where('user_op_hash', '=', row.user_op_hash)
    .where('state', '=', 'included')
    .where('final', '=', false)
    .where('block_hash', '=', row.block_hash)
    .execute()
}
