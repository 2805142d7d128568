import { toOperation } from '@lanyard/bundler'
import type { Database, OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import { getAddress, type Hash, type Hex, numberToHex, toEventSelector } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { decodeEventLog, getAbiItem } from 'viem/utils'

interface RawLog {
  readonly address: Hex
  readonly topics: [Hex, ...Hex[]]
  readonly data: Hex
}

interface RawReceipt {
  readonly logs: readonly RawLog[]
  readonly blockHash: Hex
  readonly blockNumber: Hex
  readonly gasUsed: Hex
  readonly transactionHash: Hex
  readonly [member: string]: unknown
}

const selectorOf = (name: 'BeforeExecution' | 'UserOperationEvent' | 'UserOperationRevertReason') =>
  toEventSelector(getAbiItem({ abi: entryPoint07Abi, name }))
const revertReason = selectorOf('UserOperationRevertReason')
const boundaries = [selectorOf('BeforeExecution'), selectorOf('UserOperationEvent')]

/**
 * The receipt of ERC-7769: the transaction's receipt as the node returns it, with only this operation's logs.
 *
 * @returns null when the node does not have the transaction (any more)
 */
export async function readReceipt(network: Network, row: OperationRow) {
  const receipt = await network.call(
    (client) =>
      client.request<{ ReturnType: RawReceipt | null }>({
        method: 'eth_getTransactionReceipt',
        params: [row.txn_hash],
      } as never), // viem types the answer in its own formatted form
  )
  if (!receipt) return null
  const isEntryPoints = ({ address }: RawLog) => address.toLowerCase() === row.entry_point
  const end = receipt.logs.findIndex(
    (log) =>
      isEntryPoints(log) &&
      log.topics[0] === boundaries[1] &&
      log.topics[1]?.toLowerCase() === row.user_op_hash,
  )
  const event = receipt.logs[end]
  if (!event) return null
  const { args } = decodeEventLog({ abi: entryPoint07Abi, eventName: 'UserOperationEvent', ...event })
  const begin = receipt.logs.findLastIndex(
    (log, index) => index < end && isEntryPoints(log) && boundaries.includes(log.topics[0]),
  )
  const logs = receipt.logs.slice(begin + 1, end + 1)
  const { sender, nonce } = toOperation(row)
  return {
    userOpHash: row.user_op_hash,
    entryPoint: getAddress(row.entry_point),
    sender,
    nonce: numberToHex(nonce),
    paymaster: args.paymaster,
    actualGasCost: numberToHex(args.actualGasCost),
    actualGasUsed: numberToHex(args.actualGasUsed),
    success: args.success,
    ...reasonOf(logs.find((log) => isEntryPoints(log) && log.topics[0] === revertReason)),
    logs,
    receipt,
  }
}

/** The revert data of the operation. */
function reasonOf(log: RawLog | undefined): { reason?: Hex } {
  if (!log) return {}
  const { args } = decodeEventLog({ abi: entryPoint07Abi, eventName: 'UserOperationRevertReason', ...log })
  return { reason: args.revertReason }
}

/** Finds a signed operation; an unsigned build is visible only to its builder. */
export const findSent = (
  database: Kysely<Database>,
  network: Network,
  userOpHash: Hash,
): Promise<OperationRow | undefined> =>
  database
    .selectFrom('operations')
    .selectAll()
    .where('user_op_hash', '=', userOpHash)
    .where('network', '=', network.chainId)
    .where('signature', 'is not', null)
    .executeTakeFirst()

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
