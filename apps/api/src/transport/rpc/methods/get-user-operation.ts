import { toRequest, toSignedOperation } from '@lanyard/bundler'
import { getAddress, numberToHex } from 'viem'
import { findSent, readReceipt } from '../../../domain/operations/track/operation-receipts.ts'
import { type RpcCall, requireHash } from '../rpc-call.ts'

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
