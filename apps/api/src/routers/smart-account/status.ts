import { endpoints, LanyardError } from '@lanyard/contracts'
import type { Hash } from 'viem'
import { getAddress } from 'viem'
import { implement } from '../../pipeline/implement.ts'

export const status = implement(endpoints.smartAccount.status, async ({ userOpHash }, { services }) => {
  const row = await services.database
    .selectFrom('operations')
    .selectAll()
    .where('user_op_hash', '=', userOpHash)
    // An unsigned build is nobody's business but its builder's.
    .where('signature', 'is not', null)
    .executeTakeFirst()
  if (!row) throw new LanyardError('UNKNOWN_OPERATION')
  return {
    userOpHash,
    network: String(row.network),
    walletAddress: getAddress(row.account),
    state: row.state,
    final: row.final,
    ...(row.success !== null && { success: row.success }),
    ...(row.txn_hash !== null && { txnHash: row.txn_hash as Hash }), // the column holds 0x and 64 digits
    ...(row.block_number !== null && { blockNumber: String(row.block_number) }),
    ...(row.gas_cost !== null && { gasCost: String(row.gas_cost) }),
    ...(row.reason_code !== null && {
      reason: { code: row.reason_code, message: row.reason_message ?? '' },
    }),
  }
})
