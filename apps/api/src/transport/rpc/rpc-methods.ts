import type { NeededScope } from '@lanyard/contracts'
import { entryPointsOf } from '@lanyard/networks'
import { numberToHex } from 'viem'
import { estimateUserOperationGas } from './methods/estimate-user-operation-gas.ts'
import { getPaymasterData, getPaymasterStubData } from './methods/paymaster.ts'
import {
  getCallsStatus,
  getCapabilities,
  getUserOperationByHash,
  getUserOperationReceipt,
} from './methods/read-operations.ts'
import { sendUserOperation } from './methods/send-user-operation.ts'
import { getTokenQuotes } from './methods/token-quotes.ts'
import type { RpcCall } from './rpc-call.ts'

interface RpcMethod {
  /** The rate bucket: a build if it simulates or verifies signatures, a read if it queries the chain. */
  readonly bucket: 'calls' | 'reads' | 'builds'
  /** As of an endpoint. */
  readonly scope: NeededScope
  readonly run: (call: RpcCall) => unknown
}

const call = (run: RpcMethod['run']): RpcMethod => ({ bucket: 'calls', scope: 'support', run })
const read = (run: RpcMethod['run']): RpcMethod => ({ bucket: 'reads', scope: 'support', run })
const simulation = (run: RpcMethod['run']): RpcMethod => ({ bucket: 'builds', scope: 'read', run })
const build = (run: RpcMethod['run']): RpcMethod => ({ bucket: 'builds', scope: 'full', run })

/**
 * ERC-7769 and ERC-7677, the reads of EIP-5792, and Pimlico's methods for gas prices and token quotes, which permissionless calls.
 */
export const rpcMethods: ReadonlyMap<string, RpcMethod> = new Map([
  ['eth_chainId', call(({ network }) => numberToHex(network.chainId))],
  ['eth_supportedEntryPoints', call(({ network }) => entryPointsOf(network.config))],
  ['eth_estimateUserOperationGas', simulation(estimateUserOperationGas)],
  ['eth_sendUserOperation', build(sendUserOperation)],
  ['eth_getUserOperationByHash', call(getUserOperationByHash)],
  ['eth_getUserOperationReceipt', read(getUserOperationReceipt)],
  ['pm_getPaymasterStubData', build(getPaymasterStubData)],
  ['pm_getPaymasterData', build(getPaymasterData)],
  ['wallet_getCallsStatus', read(getCallsStatus)],
  ['wallet_getCapabilities', call(getCapabilities)],
  ['pimlico_getUserOperationGasPrice', read(getGasPrice)],
  ['pimlico_getTokenQuotes', read(getTokenQuotes)],
])

async function getGasPrice({ network }: RpcCall) {
  const fees = await network.fees()
  const price = (tip: bigint) => ({
    maxFeePerGas: numberToHex(fees.maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(tip),
  })
  const standard = price(fees.maxPriorityFeePerGas)
  // The most that a gas policy pays for: the relayer adds the rest.
  return { slow: price(fees.minTip), standard, fast: standard }
}
