import type { Call } from '@lanyard/accounts'
import { toOperation } from '@lanyard/bundler'
import type { OperationRow } from '@lanyard/database'
import { getAddress, type Hash } from 'viem'
import { type AnyWallet, accountOf } from '../accounts/accounts/wallet.ts'

/** The calls of an operation; none if its call data is not as this service makes it. */
export function callsOf(row: OperationRow, wallet: AnyWallet): readonly Call[] {
  const decoded = accountOf(wallet).decodeCalls(toOperation(row).callData)
  return decoded.ok ? decoded.calls : []
}

/** An operation that this service has a row of, as activity lists it. */
export function toActivityEntry(row: OperationRow, calls: readonly Call[]) {
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
    calls: calls.map(toDetail),
    ...(row.reason_code !== null && { reason: { code: row.reason_code, message: row.reason_message ?? '' } }),
  }
}

export const toDetail = ({ to, value, data }: Call) => ({
  targetContractAddress: getAddress(to),
  value: String(value),
  encodedData: data,
})
