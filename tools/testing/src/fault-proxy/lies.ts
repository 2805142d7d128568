import type { RpcRequest, RpcRule } from './rpc-rule.ts'

const quantity = (value: bigint): string => `0x${value.toString(16)}`

const lie = (
  methods: readonly string[],
  change: (result: unknown, request: RpcRequest) => unknown,
): RpcRule => ({
  methods,
  fault: { kind: 'lie', change },
})

/** The node's object with some members replaced. Null stays null. */
const withMembers = (result: unknown, members: object): unknown =>
  typeof result === 'object' && result !== null ? { ...result, ...members } : result

/** The endpoint serves another chain. */
export const wrongChain = (chainId: number): RpcRule =>
  lie(['eth_chainId', 'net_version'], () => quantity(BigInt(chainId)))

/** Every receipt is that of another, successful transaction. */
export const otherReceipt = (transactionHash = `0x${'77'.repeat(32)}`): RpcRule =>
  lie(['eth_getTransactionReceipt'], (result) =>
    withMembers(result ?? emptyReceipt, { transactionHash, status: '0x1' }),
  )

/** Limits the block range of logs, with the error that providers return. */
export const boundedLogs = (maxBlocks: bigint): RpcRule => ({
  methods: ['eth_getLogs'],
  fault: {
    kind: 'error',
    code: -32005,
    message: `query exceeds max block range ${maxBlocks}`,
    when: ({ params: [filter] = [] }) => {
      const { fromBlock, toBlock } = filter as LogRange // the filter of eth_getLogs
      return BigInt(toBlock) - BigInt(fromBlock) >= maxBlocks
    },
  },
})

interface LogRange {
  readonly fromBlock: string
  readonly toBlock: string
}

/** Receipts report the opposite status. */
export const otherStatus = (): RpcRule =>
  lie(['eth_getTransactionReceipt'], (result) => {
    const status = typeof result === 'object' && result !== null && 'status' in result ? result.status : '0x1'
    return withMembers(result, { status: status === '0x1' ? '0x0' : '0x1' })
  })

/** Fees higher than on any network, in wei per gas. */
export const absurdFees = (fee: bigint): RpcRule =>
  lie(['eth_feeHistory', 'eth_gasPrice', 'eth_maxPriorityFeePerGas'], (result, { method }) => {
    if (method !== 'eth_feeHistory') return quantity(fee)
    const { baseFeePerGas = [], reward = [] } = result as FeeHistory // the node's response to this method
    return withMembers(result, {
      baseFeePerGas: baseFeePerGas.map(() => quantity(fee)),
      reward: reward.map((row) => row.map(() => quantity(fee))),
    })
  })

/**
 * Gas higher than any block allows, in the responses of `eth_estimateGas` and of simulations (calls with
 * state overrides).
 *
 * @param words - positions of gas values in a simulation's response, in words of 32 bytes from 0; shorter
 * responses are unchanged
 */
export const absurdGas = (gas: bigint, words: readonly number[]): RpcRule =>
  lie(['eth_estimateGas', 'eth_call'], (result, { method, params = [] }) => {
    if (method === 'eth_estimateGas') return quantity(gas)
    const isSimulation = typeof params[2] === 'object' && params[2] !== null
    if (!isSimulation || typeof result !== 'string') return result
    const digits = gas.toString(16).padStart(64, '0')
    return words.reduce((data, word) => withWord(data, word, digits), result)
  })

function withWord(data: string, word: number, digits: string): string {
  const start = '0x'.length + word * digits.length
  const end = start + digits.length
  return data.length < end ? data : data.slice(0, start) + digits + data.slice(end)
}

/** The block number does not advance, for requests that ask for it. */
export const staleBlock = (number: bigint): RpcRule => lie(['eth_blockNumber'], () => quantity(number))

/** The head, by number and by tag, is far in the future. */
export const futureBlock = (number: bigint): RpcRule =>
  lie(['eth_blockNumber', 'eth_getBlockByNumber'], (result, { method, params = [] }) => {
    if (method === 'eth_blockNumber') return quantity(number)
    return typeof params[0] === 'string' && params[0].startsWith('0x')
      ? result
      : withMembers(result, { number: quantity(number) })
  })

/** All log queries return nothing. */
export const noLogs = (): RpcRule => lie(['eth_getLogs'], () => [])

interface FeeHistory {
  readonly baseFeePerGas?: readonly string[]
  readonly reward?: readonly (readonly string[])[]
}

const emptyReceipt = {
  transactionIndex: '0x0',
  blockHash: `0x${'11'.repeat(32)}`,
  blockNumber: '0x1',
  from: `0x${'00'.repeat(20)}`,
  to: `0x${'00'.repeat(20)}`,
  cumulativeGasUsed: '0x5208',
  gasUsed: '0x5208',
  effectiveGasPrice: '0x1',
  contractAddress: null,
  logs: [],
  logsBloom: `0x${'00'.repeat(256)}`,
  type: '0x2',
}
