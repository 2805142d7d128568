import { toRequest, toSignedOperation } from '@lanyard/bundler'
import { address } from '@lanyard/contracts'
import { getAddress, numberToHex } from 'viem'
import {
  findSent,
  readCallsStatus,
  readReceipt,
} from '../../../domain/operations/track/operation-receipts.ts'
import { isChainId, type RpcCall, requireHash } from '../rpc-call.ts'
import { RpcError, rpcCodes } from '../rpc-error.ts'

/** `eth_getUserOperationByHash`: null for an operation that was not sent through this service. */
export async function getUserOperationByHash(call: RpcCall) {
  const row = await findSent(call.context.services.database, call.network, requireHash(call.params[0]))
  if (!row) return null
  return {
    userOperation: toRequest(toSignedOperation(row)),
    entryPoint: getAddress(row.entry_point),
    transactionHash: row.txn_hash,
    blockHash: row.block_hash,
    blockNumber: row.block_number === null ? null : numberToHex(row.block_number),
  }
}

/** `eth_getUserOperationReceipt`: null until it is included, and again after a reorg removes its block. */
export async function getUserOperationReceipt(call: RpcCall) {
  const row = await findSent(call.context.services.database, call.network, requireHash(call.params[0]))
  return row?.state === 'included' ? readReceipt(call.network, row) : null
}

/** 32 bytes of userOpHash, and 32 bytes of the chain id. */
const bundleId = /^0x[0-9a-fA-F]{128}$/

/** `wallet_getCallsStatus` (EIP-5792, 2.0.0). The id is userOpHash ‖ chain id, or the hash alone. */
export async function getCallsStatus(call: RpcCall) {
  const [id] = call.params
  const status = await readCallsStatus(call.context.services.database, call.network, readId(call, id))
  if (!status) throw new RpcError(rpcCodes.unknownBundle, 'There is no bundle of calls with this id.')
  return { ...status, id }
}

function readId({ network }: RpcCall, id: unknown): `0x${string}` {
  if (typeof id !== 'string' || !bundleId.test(id)) return requireHash(id)
  if (BigInt(`0x${id.slice(66)}`) !== BigInt(network.chainId))
    throw new RpcError(rpcCodes.unknownBundle, 'This bundle of calls is on another network.')
  return requireHash(id.slice(0, 66))
}

/** `wallet_getCapabilities` (EIP-5792): every batch is atomic. */
export function getCapabilities({ network, params }: RpcCall) {
  const [account, chainIds] = params
  if (!address.safeParse(account).success)
    throw new RpcError(rpcCodes.invalidParams, 'Expected an account address.')
  const capabilities = { [numberToHex(network.chainId)]: { atomic: { status: 'supported' } } }
  if (chainIds === undefined || chainIds === null) return capabilities
  if (!Array.isArray(chainIds)) throw new RpcError(rpcCodes.invalidParams, 'Expected an array of chain ids.')
  return chainIds.map((one) => isChainId(network, one)).includes(true) ? capabilities : {}
}
