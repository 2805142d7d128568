import { numberToHex } from 'viem'
import { estimateUserOperationGas } from './methods/estimate-user-operation-gas.ts'
import { getUserOperationByHash, getUserOperationReceipt } from './methods/get-user-operation.ts'
import { getPaymasterData, getPaymasterStubData } from './methods/paymaster.ts'
import { sendUserOperation } from './methods/send-user-operation.ts'
import { getCallsStatus, getCapabilities } from './methods/wallet-calls.ts'
import type { RpcCall } from './rpc-call.ts'

interface RpcMethod {
  /** It simulates or verifies signatures, so it counts as a build. */
  readonly isBuild: boolean
  readonly run: (call: RpcCall) => unknown
}

const read = (run: RpcMethod['run']): RpcMethod => ({ isBuild: false, run })
const build = (run: RpcMethod['run']): RpcMethod => ({ isBuild: true, run })

/** ERC-7769 and ERC-7677, the reads of EIP-5792, and the gas price of Pimlico, which permissionless asks for. */
export const rpcMethods: ReadonlyMap<string, RpcMethod> = new Map([
  ['eth_chainId', read(({ network }) => numberToHex(network.chainId))],
  ['eth_supportedEntryPoints', read(({ network }) => [network.config.entryPoint])],
  ['eth_estimateUserOperationGas', build(estimateUserOperationGas)],
  ['eth_sendUserOperation', build(sendUserOperation)],
  ['eth_getUserOperationByHash', read(getUserOperationByHash)],
  ['eth_getUserOperationReceipt', read(getUserOperationReceipt)],
  ['pm_getPaymasterStubData', build(getPaymasterStubData)],
  ['pm_getPaymasterData', build(getPaymasterData)],
  ['wallet_getCallsStatus', read(getCallsStatus)],
  ['wallet_getCapabilities', read(getCapabilities)],
  ['pimlico_getUserOperationGasPrice', read(getGasPrice)],
])

async function getGasPrice({ network }: RpcCall) {
  const fees = await network.fees()
  const price = {
    maxFeePerGas: numberToHex(fees.maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(fees.maxPriorityFeePerGas),
  }
  return { slow: price, standard: price, fast: price }
}
