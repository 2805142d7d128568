import type { Database } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import { type Hash, type Hex, numberToHex } from 'viem'
import { findSent, type RawLog, readReceipt } from './user-operation-receipt.ts'

/** EIP-5792: statuses of a bundle of calls. */
const statuses = { pending: 100, confirmed: 200, failedOffchain: 400, reverted: 500 } as const

interface CallsStatus {
  readonly version: '2.0.0'
  readonly chainId: Hex
  readonly atomic: true
  readonly status: (typeof statuses)[keyof typeof statuses]
  readonly receipts?: {
    readonly logs: RawLog[]
    readonly status: Hex
    readonly blockHash: Hex
    readonly blockNumber: Hex
    readonly gasUsed: Hex
    readonly transactionHash: Hex
  }[]
}

/**
 * The status of an operation, as `wallet_getCallsStatus` returns it (EIP-5792, 2.0.0), without its id.
 *
 * @returns undefined for an operation that was not sent through this service
 */
export async function readCallsStatus(
  database: Kysely<Database>,
  network: Network,
  userOpHash: Hash,
): Promise<CallsStatus | undefined> {
  const row = await findSent(database, network, userOpHash)
  if (!row) return undefined
  const common = { version: '2.0.0' as const, chainId: numberToHex(network.chainId), atomic: true as const }
  if (row.state === 'dropped' || row.state === 'expired')
    return { ...common, status: statuses.failedOffchain }
  const found = row.state === 'included' ? await readReceipt(network, row) : null
  if (!found) return { ...common, status: statuses.pending }
  const { blockHash, blockNumber, gasUsed, transactionHash } = found.receipt
  // Nodes return more fields of a log than EIP-5792 defines.
  const logs = found.logs.map(({ address, data, topics }): RawLog => ({ address, data, topics }))
  const status = numberToHex(found.success ? 1 : 0)
  return {
    ...common,
    status: found.success ? statuses.confirmed : statuses.reverted,
    receipts: [{ logs, status, blockHash, blockNumber, gasUsed, transactionHash }],
  }
}
