import { type Call, decodeCalls } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import { getAddress, type Hash } from 'viem'
import { findWallet, type Wallet } from '../../domain/accounts/accounts/wallet.ts'
import { toOperation } from '../../domain/operations/signed-operation.ts'
import {
  type ForeignOperation,
  readForeignCalls,
  readForeignOperations,
} from '../../domain/operations/track/foreign-operations.ts'
import { implement } from '../../pipeline/implement.ts'

export const activity = implement(endpoints.wallet.activity, async (input, { services }) => {
  const wallet = await findWallet(services.database, input.walletAddress)
  const before = input.before === undefined ? undefined : new Date(input.before)
  let query = services.database
    .selectFrom('operations')
    .selectAll()
    .where('account', '=', wallet.address.toLowerCase())
    .where('signed_at', 'is not', null)
    .orderBy('signed_at', 'desc')
    .limit(input.limit)
  if (before) query = query.where('signed_at', '<', before)
  const [rows, foreign] = await Promise.all([
    query.execute(),
    readForeignOperations(services, wallet.address),
  ])
  const entries = [
    ...rows.map((row) => ({ at: row.signed_at ?? row.built_at, toEntry: async () => toEntry(row, wallet) })),
    ...foreign
      .filter(({ timestamp }) => before === undefined || timestamp < before)
      .map((operation) => ({
        at: operation.timestamp,
        async toEntry() {
          const network = services.networks.get(operation.network)
          const calls = await readForeignCalls(network, operation, wallet).catch(() => [])
          return toForeignEntry(operation, calls)
        },
      })),
  ]
  const shown = entries.toSorted((a, b) => b.at.getTime() - a.at.getTime()).slice(0, input.limit)
  return { activity: await Promise.all(shown.map((entry) => entry.toEntry())) }
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
    calls: calls.map(toDetail),
    ...(row.reason_code !== null && { reason: { code: row.reason_code, message: row.reason_message ?? '' } }),
  }
}

/** The time of its signature is unknown, so the time of its block is used. */
function toForeignEntry(operation: ForeignOperation, calls: readonly Call[]) {
  const { userOpHash, network, final, success, txnHash, timestamp, gasCost, account, revertReason } =
    operation
  return {
    userOpHash,
    network: String(network),
    state: 'included' as const,
    ...{ final, success, txnHash },
    signedAt: timestamp.toISOString(),
    includedAt: timestamp.toISOString(),
    gasCost: String(gasCost),
    sender: account,
    calls: calls.map(toDetail),
    ...(revertReason !== undefined && { reason: { code: 'EXECUTION_REVERTED', message: revertReason } }),
  }
}

const toDetail = ({ to, value, data }: Call) => ({
  targetContractAddress: getAddress(to),
  value: String(value),
  encodedData: data,
})
