import type { Database, OperationRow } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'
import type { Hex } from 'viem'
import type { Inclusion } from '../../../domain/operations/track/inclusion.ts'
import { dropCompetitors, inclusionColumns } from '../../../domain/operations/track/record-inclusion.ts'
import type { RepairContext } from './context.ts'
import type { Difference } from './difference.ts'
import { readIncludedOperation } from './read-included-operation.ts'

type Repair = NonNullable<Difference['repair']>

/** An update of an operation that does nothing where the row is no longer as it was read. */
function updateAsRead(database: Kysely<Database> | Transaction<Database>, row: OperationRow) {
  return database
    .updateTable('operations')
    .where('user_op_hash', '=', row.user_op_hash)
    .where('state', '=', row.state)
    .where('final', '=', row.final)
    .where('signature', 'is not distinct from', row.signature)
    .where('txn_hash', 'is not distinct from', row.txn_hash)
    .where('block_hash', 'is not distinct from', row.block_hash)
}

/**
 * Writes an inclusion that a final block has, over whatever the row said. Where the row has no signature, since the owner
 * went past this service, it is the one in the transaction's call data; an operation that a contract brought stays as it is.
 */
export function repairInclusion(
  { network, now }: RepairContext,
  row: OperationRow,
  inclusion: Inclusion,
): Repair {
  return async (database) => {
    const signature = row.signature ?? (await readSignature())
    if (signature === undefined) return false
    return database.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await updateAsRead(transaction, row)
        .set({ ...inclusionColumns(inclusion), signature, signed_at: row.signed_at ?? now })
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      await dropCompetitors(transaction, row)
      return true
    })
  }

  async function readSignature(): Promise<Hex | undefined> {
    const { txnHash, userOpHash } = inclusion
    const operation = await readIncludedOperation(network, { txnHash, userOpHash })
    return operation?.signature
  }
}

/** The signed operation waits again: the worker asks the chain, and sends the identical one if it may still come. */
export function repairMissingInclusion({ now }: RepairContext, row: OperationRow): Repair {
  return async (database) => {
    const { numUpdatedRows } = await updateAsRead(database, row)
      .set({
        state: 'submitted',
        final: false,
        txn_hash: null,
        block_number: null,
        block_hash: null,
        included_at: null,
        success: null,
        gas_cost: null,
        reason_code: 'REORGED',
        reason_message: 'The chain has no block with it; it is sent again.',
        next_attempt_at: now,
      })
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
}

/** It may still be decided: the worker looks at it again. What is called expired can be sent, and so it is. */
export function repairFinality({ now }: RepairContext, row: OperationRow): Repair {
  return async (database) => {
    const waits = row.state === 'expired' || row.state === 'submitting' || row.state === 'submitted'
    const { numUpdatedRows } = await updateAsRead(database, row)
      .set({
        final: false,
        ...(waits && {
          state: 'submitted' as const,
          next_attempt_at: now,
          reason_code: null,
          reason_message: null,
        }),
      })
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
}
