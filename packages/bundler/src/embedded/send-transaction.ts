import type { Address, Hex, LocalAccount } from 'viem'
import { keccak256 } from 'viem'
import type { TransactionFees } from './bundle-fees.ts'
import type { EmbeddedContext } from './context.ts'
import { fenced, type Lease } from './lease.ts'
import { isUnwanted, type SendOutcome, sendRawTransaction } from './send-raw-transaction.ts'

export interface RelayerTransaction {
  readonly nonce: number
  readonly to: Address
  readonly data: Hex
  readonly gas: bigint
  readonly fees: TransactionFees
  /** Hashes of the operations within, in the order of the bundle. */
  readonly operations: readonly Hex[]
}

/**
 * Signs, records, sends: in this order, so that whatever is on its way is in the table, and a process that dies
 * anywhere leaves bytes that the next one sends again.
 *
 * @returns undefined when an operation has been taken by another relayer or is waiting no longer; nothing was sent.
 */
export async function sendTransaction(
  context: EmbeddedContext,
  lease: Lease,
  relayer: LocalAccount,
  transaction: RelayerTransaction,
): Promise<SendOutcome | undefined> {
  const { network, checkpoint } = context
  const raw = await relayer.signTransaction({
    type: 'eip1559',
    chainId: network.chainId,
    nonce: transaction.nonce,
    to: transaction.to,
    data: transaction.data,
    gas: transaction.gas,
    ...transaction.fees,
  })
  await checkpoint('relayer:signed')
  if (!(await recordTransaction(context, lease, transaction, raw))) return undefined
  await checkpoint('relayer:row-written')
  const outcome = await sendRawTransaction(network, raw)
  await checkpoint('relayer:sent')
  await recordSent(context, lease, keccak256(raw), outcome)
  await checkpoint('relayer:sent-recorded')
  return outcome
}

async function recordTransaction(
  context: EmbeddedContext,
  lease: Lease,
  { nonce, gas, fees, operations }: RelayerTransaction,
  raw: Hex,
): Promise<boolean> {
  const hash = keccak256(raw)
  return await fenced(context, lease, async (trx) => {
    if (operations.length > 0) {
      // Locked, so that two relayers cannot both find an operation free.
      const due = await trx
        .selectFrom('operations')
        .select('user_op_hash')
        .where('user_op_hash', 'in', operations)
        .where('state', '=', 'submitted')
        .where('final', '=', false)
        .orderBy('user_op_hash')
        .forUpdate()
        .execute()
      if (due.length !== operations.length) return false
      const taken = await trx
        .selectFrom('relayer_transaction_operations as link')
        .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'link.txn_hash')
        .select('link.txn_hash')
        .where('link.user_op_hash', 'in', operations)
        .where('tx.state', 'in', ['live', 'mined'])
        // A replacement holds the same operations under the same nonce.
        .where((eb) =>
          eb.or([eb('tx.nonce', '!=', nonce), eb('tx.relayer', '!=', lease.relayer.toLowerCase())]),
        )
        .executeTakeFirst()
      if (taken) return false
    }
    await trx
      .insertInto('relayer_transactions')
      .values({
        txn_hash: hash,
        network: context.network.chainId,
        relayer: lease.relayer.toLowerCase(),
        nonce,
        raw,
        gas_limit: gas,
        max_fee_per_gas: fees.maxFeePerGas,
        max_priority_fee_per_gas: fees.maxPriorityFeePerGas,
        state: 'live',
        block_number: null,
        block_hash: null,
        created_at: context.now(),
        sent_at: null,
      })
      // The very bytes that were lost before: signing is deterministic, and the nonce is free again.
      .onConflict((conflict) =>
        conflict.column('txn_hash').doUpdateSet({
          state: 'live',
          block_number: null,
          block_hash: null,
          created_at: context.now(),
          sent_at: null,
        }),
      )
      .execute()
    if (operations.length > 0) {
      await trx
        .insertInto('relayer_transaction_operations')
        .values(operations.map((user_op_hash, position) => ({ txn_hash: hash, position, user_op_hash })))
        .onConflict((conflict) => conflict.columns(['txn_hash', 'position']).doNothing())
        .execute()
      await trx
        .updateTable('operations')
        .set({ reason_code: null, reason_message: null, next_attempt_at: null })
        .where('user_op_hash', 'in', operations)
        .execute()
    }
    return true
  })
}

/**
 * Remembers when the bytes were handed over last. What the node does not want is `lost`: it waits in no pool, and its
 * nonce goes to the next. (Should it be mined nevertheless, the entry point's nonce keeps its operations from being
 * executed twice.)
 */
export async function recordSent(
  context: EmbeddedContext,
  lease: Lease,
  hash: Hex,
  outcome: SendOutcome,
): Promise<void> {
  await fenced(context, lease, (trx) =>
    trx
      .updateTable('relayer_transactions')
      .set({ sent_at: context.now(), ...(isUnwanted(outcome) ? { state: 'lost' } : {}) })
      .where('txn_hash', '=', hash)
      .execute(),
  )
}
