import { unpackUserOperation } from '@lanyard/accounts'
import type { OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { getAddress, type Hash, type Hex, numberToHex, toEventSelector } from 'viem'
import { entryPoint07Abi, formatUserOperationRequest } from 'viem/account-abstraction'
import { decodeEventLog, getAbiItem } from 'viem/utils'
import { toOperation, toSignedOperation } from '../../../domain/operations/signed-operation.ts'
import { type RpcCall, requireHash } from '../rpc-call.ts'

/** An operation that was signed; an unsigned build is nobody's business but its builder's. */
export const findSigned = ({ context, network }: RpcCall, hash: Hash): Promise<OperationRow | undefined> =>
  context.services.database
    .selectFrom('operations')
    .selectAll()
    .where('user_op_hash', '=', hash)
    .where('network', '=', network.chainId)
    .where('signature', 'is not', null)
    .executeTakeFirst()

/** `eth_getUserOperationByHash`: null for what nobody sent here. */
export async function getUserOperationByHash(call: RpcCall) {
  const row = await findSigned(call, requireHash(call.params[0]))
  if (!row) return null
  return {
    userOperation: formatUserOperationRequest(unpackUserOperation(toSignedOperation(row))),
    entryPoint: getAddress(row.entry_point),
    transactionHash: row.txn_hash,
    blockHash: row.block_hash,
    blockNumber: row.block_number === null ? null : numberToHex(row.block_number),
  }
}

/** `eth_getUserOperationReceipt`: null until it is included, and again when a reorg took its block. */
export async function getUserOperationReceipt(call: RpcCall) {
  const row = await findSigned(call, requireHash(call.params[0]))
  return row?.state === 'included' ? toReceipt(call.network, row) : null
}

interface RawLog {
  readonly address: Hex
  readonly topics: [Hex, ...Hex[]]
  readonly data: Hex
}

interface RawReceipt {
  readonly logs: readonly RawLog[]
  readonly [member: string]: unknown
}

const selectorOf = (name: 'BeforeExecution' | 'UserOperationEvent') =>
  toEventSelector(getAbiItem({ abi: entryPoint07Abi, name }))
const boundaries = [selectorOf('BeforeExecution'), selectorOf('UserOperationEvent')]

/**
 * The receipt of ERC-7769: the transaction's own, as the node answers it, and of its logs those of this operation.
 *
 * @returns null where the node does not have the transaction (any more)
 */
export async function toReceipt(network: Network, row: OperationRow) {
  const receipt = await network.call(
    (client) =>
      client.request<{ ReturnType: RawReceipt | null }>({
        method: 'eth_getTransactionReceipt',
        params: [row.txn_hash],
      } as never), // viem's type of the answer is its own formatted one
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
    ...(row.reason_message !== null && { reason: row.reason_message }),
    logs: receipt.logs.slice(begin + 1, end + 1),
    receipt,
  }
}
