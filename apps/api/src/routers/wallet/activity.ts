import type { Call } from '@lanyard/accounts'
import { endpoints } from '@lanyard/contracts'
import { olderThan, type PageEnd, pageEnd } from '@lanyard/database'
import { isAddressEqual, zeroAddress } from 'viem'
import { findAnyWallet } from '../../domain/accounts/accounts/wallet.ts'
import type { OperationFeatures } from '../../domain/operations/dependencies.ts'
import {
  type ExternalOperation,
  readExternalCalls,
  readExternalOperations,
} from '../../domain/operations/track/external-operations.ts'
import { revertReasonOf } from '../../domain/operations/track/inclusion.ts'
import { callsOf, toActivityEntry, toDetail } from '../../domain/operations/track/operation-history.ts'
import { readProtectionHistory } from '../../domain/owners/protection-history.ts'
import { implement } from '../../pipeline/implement.ts'

export const activity = implement(endpoints.wallet.activity, async (input, { services }) => {
  const wallet = await findAnyWallet(services.database, input)
  const end = pageEnd(input)
  const chainIds = services.networks.list().map(({ chainId }) => chainId)
  const [rows, foreign, protection] = await Promise.all([
    services.reads.read((database) => {
      const query = database
        .selectFrom('every_operation')
        .selectAll()
        .where('account', '=', wallet.address.toLowerCase())
        .where('signed_at', 'is not', null)
        .orderBy('signed_at', 'desc')
        .orderBy('user_op_hash', 'desc')
        .limit(input.limit)
      return (end ? query.where(olderThan({ time: 'signed_at', id: 'user_op_hash' }, end)) : query).execute()
    }),
    readExternalOperations(services, wallet.address),
    end
      ? undefined
      : services.reads.read((database) => readProtectionHistory(database, wallet.address, chainIds)),
  ])
  const entries = [
    ...rows.map((row) => ({
      ...{ at: row.signed_at ?? row.built_at, id: row.user_op_hash },
      toEntry: async () => toActivityEntry(row, callsOf(row, wallet)),
    })),
    ...foreign
      .map((operation) => ({
        ...{ at: operation.timestamp, id: operation.userOpHash },
        async toEntry() {
          const network = services.networks.get(operation.network)
          const calls = await readExternalCalls(network, operation, wallet).catch(() => [])
          return toExternalEntry(services.operations.features, operation, calls)
        },
      }))
      .filter((entry) => end === undefined || newestFirst(end, entry) < 0),
  ]
  const shown = entries.toSorted(newestFirst).slice(0, input.limit)
  return {
    activity: await Promise.all(shown.map((entry) => entry.toEntry())),
    ...(protection && { protection }),
  }
})

/** The order of the pages. */
const newestFirst = (a: PageEnd, b: PageEnd): number =>
  b.at.getTime() - a.at.getTime() || ((a.id ?? '') < (b.id ?? '') ? 1 : -1)

/** The time of its signature is unknown, so the time of its block is used. */
function toExternalEntry(features: OperationFeatures, operation: ExternalOperation, calls: readonly Call[]) {
  const { userOpHash, network, final, success, txnHash, timestamp, gasCost, account, paymaster } = operation
  const revertReason = revertReasonOf(features, operation)
  return {
    userOpHash,
    network: String(network),
    state: 'included' as const,
    ...{ final, success, txnHash },
    signedAt: timestamp.toISOString(),
    includedAt: timestamp.toISOString(),
    gasCost: String(gasCost),
    ...(!isAddressEqual(paymaster, zeroAddress) && { paymaster }),
    sender: account,
    calls: calls.map(toDetail),
    ...(revertReason !== undefined && { reason: { code: 'EXECUTION_REVERTED', message: revertReason } }),
  }
}
