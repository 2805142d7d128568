import { sql } from 'kysely'
import { batched, perDatabase } from '../batched.ts'

/** What the chain says of an operation, whoever bundled it. */
export interface IncludedOperation {
  readonly userOpHash: string
  readonly txnHash: string
  readonly blockNumber: bigint
  readonly blockHash: string
  readonly timestamp: Date
  readonly success: boolean
  /** wei */
  readonly gasCost: bigint
  /** Why the calls reverted. */
  readonly revertReason: string | undefined
}

/** What an inclusion makes of an operation's row. */
export const inclusionColumns = (inclusion: IncludedOperation) => ({
  state: 'included' as const,
  txn_hash: inclusion.txnHash,
  block_number: Number(inclusion.blockNumber),
  block_hash: inclusion.blockHash,
  included_at: inclusion.timestamp,
  success: inclusion.success,
  gas_cost: inclusion.gasCost,
  reason_code: inclusion.success ? null : 'EXECUTION_REVERTED',
  reason_message: inclusion.revertReason ?? null,
  next_attempt_at: null,
})

/**
 * Writes inclusions, all that wait in one statement: operations become `included`, what competed for their nonces is
 * dropped, and a relayer's transaction that brought one is `mined`. A row that is included for good, or that says the same
 * already, stays as it is.
 */
export const recordInclusion = perDatabase((db) =>
  batched(async (all: readonly IncludedOperation[]): Promise<undefined[]> => {
    const inclusions = [...new Map(all.map((one) => [one.userOpHash, one])).values()].toSorted((a, b) =>
      a.userOpHash < b.userOpHash ? -1 : 1,
    )
    const rows = inclusions.map((one) => ({ user_op_hash: one.userOpHash, ...inclusionColumns(one) }))
    const column = <K extends keyof (typeof rows)[number]>(name: K) => rows.map((row) => row[name])
    await sql`
      with seen as (
        select * from unnest(
          ${column('user_op_hash')}::text[], ${column('txn_hash')}::text[], ${column('block_number')}::int8[],
          ${column('block_hash')}::text[], ${column('included_at')}::timestamptz[], ${column('success')}::bool[],
          ${column('gas_cost').map(String)}::numeric[], ${column('reason_code')}::text[],
          ${column('reason_message')}::text[]
        ) as seen (
          user_op_hash, txn_hash, block_number, block_hash, included_at, success, gas_cost, reason_code, reason_message
        )
      ), mined as (
        update relayer_transactions tx
        set state = 'mined', block_number = brought.block_number, block_hash = brought.block_hash
        from (select distinct txn_hash, block_number, block_hash from seen) as brought
        where tx.txn_hash = brought.txn_hash and tx.state = 'live'
      ), included as (
        update operations set
          state = 'included', final = false, txn_hash = seen.txn_hash, block_number = seen.block_number,
          block_hash = seen.block_hash, included_at = seen.included_at, success = seen.success,
          gas_cost = seen.gas_cost, reason_code = seen.reason_code, reason_message = seen.reason_message,
          next_attempt_at = null
        from seen
        where operations.user_op_hash = seen.user_op_hash
          -- An end that we set is no end when the chain says otherwise.
          and (not operations.final or operations.state in ('dropped', 'expired'))
          and operations.signed_at_block is not null
          and (operations.state <> 'included' or operations.block_hash <> seen.block_hash)
        returning operations.user_op_hash, account, network, nonce_key, nonce_sequence
      )
      update operations set
        state = 'dropped', reason_code = 'REPLACED',
        reason_message = 'Its nonce was used by ' || included.user_op_hash || '.'
      from included
      where operations.account = included.account and operations.network = included.network
        and operations.nonce_key = included.nonce_key and operations.nonce_sequence = included.nonce_sequence
        and not operations.user_op_hash = any(${column('user_op_hash')}::text[])
        and not operations.final and operations.state in ('submitting', 'submitted')`.execute(db)
    return all.map(() => undefined)
  }),
)
