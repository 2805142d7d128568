import type { Call } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import { findWallet } from '../../domain/accounts/accounts/wallet.ts'
import { callsOf, toActivityEntry, toDetail } from '../../domain/operations/activity-entry.ts'
import type { OperationFeatures } from '../../domain/operations/operation-features.ts'
import {
  type ForeignOperation,
  readForeignCalls,
  readForeignOperations,
} from '../../domain/operations/track/foreign-operations.ts'
import { revertReasonOf } from '../../domain/operations/track/inclusion.ts'
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
    ...rows.map((row) => ({
      at: row.signed_at ?? row.built_at,
      toEntry: async () => toActivityEntry(row, callsOf(row, wallet)),
    })),
    ...foreign
      .filter(({ timestamp }) => before === undefined || timestamp < before)
      .map((operation) => ({
        at: operation.timestamp,
        async toEntry() {
          const network = services.networks.get(operation.network)
          const calls = await readForeignCalls(network, operation, wallet).catch(() => [])
          return toForeignEntry(services.operations.features, operation, calls)
        },
      })),
  ]
  const shown = entries.toSorted((a, b) => b.at.getTime() - a.at.getTime()).slice(0, input.limit)
  return { activity: await Promise.all(shown.map((entry) => entry.toEntry())) }
})

/** The time of its signature is unknown, so the time of its block is used. */
function toForeignEntry(features: OperationFeatures, operation: ForeignOperation, calls: readonly Call[]) {
  const { userOpHash, network, final, success, txnHash, timestamp, gasCost, account } = operation
  const revertReason = revertReasonOf(features, operation)
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
