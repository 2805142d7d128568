import type { RpcAnswer, RpcRequest } from './rpc-rule.ts'

type Json = Record<string, unknown>

/** Where each method names its block. */
const blockPosition: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getStorageAt: 2,
  eth_feeHistory: 1,
  eth_getBlockByNumber: 0,
}

/** Imitates a node whose head is some blocks behind the target's. */
export async function beginBehind(target: string, blocks: number) {
  const response = await fetch(target, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
  })
  const { result } = (await response.json()) as { readonly result: string } // a node's answer
  const head = Math.max(0, Number(result) - blocks)
  const own = `0x${head.toString(16)}`
  const isAhead = (block: unknown) =>
    typeof block === 'string' && /^0x[0-9a-f]{1,16}$/i.test(block) && Number(block) > head

  function rewrite(request: RpcRequest): RpcRequest {
    const { method, params = [] } = request
    if (method === 'eth_getLogs') {
      const [filter] = params as readonly Json[] // the filter of eth_getLogs
      if (!isAhead(filter?.toBlock)) return request
      return { ...request, params: [{ ...filter, toBlock: own }] }
    }
    const at = blockPosition[method]
    if (at === undefined) return request
    const block = params[at] ?? 'latest'
    if (block !== 'latest' && block !== 'pending' && !isAhead(block)) return request
    return { ...request, params: replace(params, at, own) }
  }

  return {
    question: rewrite,
    answer(answer: RpcAnswer, { method, params = [] }: RpcRequest): RpcAnswer {
      const { jsonrpc = '2.0', id } = answer
      if (method === 'eth_blockNumber') return { jsonrpc, id, result: own }
      const at = blockPosition[method]
      if (at !== undefined && isAhead(params[at])) {
        return method === 'eth_getBlockByNumber'
          ? { jsonrpc, id, result: null }
          : { jsonrpc, id, error: { code: -32000, message: 'header not found' } }
      }
      if (method === 'eth_getLogs' && isAhead((params[0] as Json | undefined)?.fromBlock)) {
        return { jsonrpc, id, result: [] }
      }
      const found = answer.result as Json | null | undefined // an object with a block, if it is one of these
      const block =
        method === 'eth_getTransactionReceipt'
          ? found?.blockNumber
          : method === 'eth_getBlockByHash'
            ? found?.number
            : undefined
      return isAhead(block) ? { jsonrpc, id, result: null } : answer
    },
  }
}

function replace(params: readonly unknown[], at: number, value: unknown): unknown[] {
  const copy = [...params]
  copy[at] = value
  return copy
}
