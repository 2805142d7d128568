import { numberToHex } from 'viem'
import { type RpcCall, requireHash } from '../rpc-call.ts'
import { RpcError, rpcCodes } from '../rpc-error.ts'
import { findSigned, toReceipt } from './get-user-operation.ts'

/** EIP-5792: statuses of a bundle of calls. */
const statuses = { pending: 100, confirmed: 200, failedOffchain: 400, reverted: 500 } as const

/** 32 bytes of userOpHash, and 32 of the chain id. */
const bundleId = /^0x[0-9a-fA-F]{128}$/

/** `wallet_getCallsStatus` (EIP-5792, 2.0.0). The id is userOpHash ‖ chain id, or the hash alone. */
export async function getCallsStatus(call: RpcCall) {
  const [id] = call.params
  const row = await findSigned(call, readId(call, id))
  if (!row) throw new RpcError(rpcCodes.unknownBundle, 'There is no bundle of calls with this id.')
  const common = { version: '2.0.0', id, chainId: numberToHex(call.network.chainId), atomic: true }
  if (row.state === 'dropped' || row.state === 'expired')
    return { ...common, status: statuses.failedOffchain }
  const found = row.state === 'included' ? await toReceipt(call.network, row) : null
  if (!found) return { ...common, status: statuses.pending }
  const { blockHash, blockNumber, gasUsed, transactionHash } = found.receipt
  const status = numberToHex(found.success ? 1 : 0)
  return {
    ...common,
    status: found.success ? statuses.confirmed : statuses.reverted,
    receipts: [{ logs: found.logs, status, blockHash, blockNumber, gasUsed, transactionHash }],
  }
}

function readId({ network }: RpcCall, id: unknown): `0x${string}` {
  if (typeof id !== 'string' || !bundleId.test(id)) return requireHash(id)
  if (BigInt(`0x${id.slice(66)}`) !== BigInt(network.chainId))
    throw new RpcError(rpcCodes.unknownBundle, 'This bundle of calls is on another network.')
  return requireHash(id.slice(0, 66))
}

/** `wallet_getCapabilities` (EIP-5792): every batch is atomic. */
export function getCapabilities({ network, params }: RpcCall) {
  const chainId = numberToHex(network.chainId)
  const [, asked] = params
  const isAsked =
    !Array.isArray(asked) || asked.some((one) => typeof one === 'string' && Number(one) === network.chainId)
  return isAsked ? { [chainId]: { atomic: { status: 'supported' } } } : {}
}
