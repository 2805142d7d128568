import { decodeCalls } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import { getAddress, type Hash } from 'viem'
import { findWallet, type Wallet } from '../../domain/accounts/accounts/wallet.ts'
import { toOperation } from '../../domain/operations/signed-operation.ts'
import { implement } from '../../pipeline/implement.ts'

export const activity = implement(endpoints.wallet.activity, async (input, { services }) => {
  const wallet = await findWallet(services.database, input.walletAddress)
  let query = services.database
    .selectFrom('operations')
    .selectAll()
    .where('account', '=', wallet.address.toLowerCase())
    .where('signed_at', 'is not', null)
    .orderBy('signed_at', 'desc')
    .limit(input.limit)
  if (input.before !== undefined) query = query.where('signed_at', '<', new Date(input.before))
  const rows = await query.execute()
  return { activity: rows.map((row) => toEntry(row, wallet)) }
})

function toEntry(row: OperationRow, wallet: Wallet) {
  const decoded = decodeCalls(toOperation(row).callData, wallet.deployment)
  const calls = decoded.ok ? decoded.calls : []
  return {
    userOpHash: row.user_op_hash as Hash, // the column holds 0x and 64 digits
    network: String(row.network),
    state: row.state,
    final: row.final,
    ...(row.success !== null && { success: row.success }),
    ...(row.txn_hash !== null && { txnHash: row.txn_hash as Hash }),
    signedAt: (row.signed_at ?? row.built_at).toISOString(),
    ...(row.included_at !== null && { includedAt: row.included_at.toISOString() }),
    ...(row.gas_cost !== null && { gasCost: String(row.gas_cost) }),
    sender: getAddress(row.account),
    calls: calls.map(({ to, value, data }) => ({
      targetContractAddress: getAddress(to),
      value: String(value),
      encodedData: data,
    })),
    ...(row.reason_code !== null && { reason: { code: row.reason_code, message: row.reason_message ?? '' } }),
  }
}
