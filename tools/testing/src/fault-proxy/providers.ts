import type { RpcFault, RpcRequest, RpcRule } from './rpc-rule.ts'

interface LogRange {
  readonly fromBlock?: string
  readonly toBlock?: string
}

/** How a provider refuses: an HTTP status, or the code of a JSON-RPC error. */
export type Refusal =
  | { readonly status: number; readonly body?: string }
  | { readonly code: number; readonly message: string }

const isWide = ({ method, params: [filter] = [] }: RpcRequest, limit: number) => {
  const { fromBlock, toBlock } = (filter ?? {}) as LogRange // the filter of eth_getLogs
  return (
    method === 'eth_getLogs' &&
    fromBlock !== undefined &&
    toBlock !== undefined &&
    // A range to the newest block has at least one.
    (toBlock === 'latest' ? 0 : Number(toBlock) - Number(fromBlock)) >= limit
  )
}

/** The blocks of one `eth_getLogs` are limited. */
export const limitedLogs = (limit: number, how: Refusal): RpcRule => ({
  methods: ['eth_getLogs'],
  fault:
    'status' in how
      ? { kind: 'http', ...how, when: (requests) => requests.some((one) => isWide(one, limit)) }
      : { kind: 'error', ...how, when: (request) => isWide(request, limit) },
})

/** The addresses of one `eth_getLogs`, and its topics at a position, are limited. */
export function limitedNames(limit: number, how: Refusal): RpcRule {
  const isLarge = ({ params: [filter] = [] }: RpcRequest) => {
    const { address, topics = [] } = filter as { readonly address?: unknown; readonly topics?: unknown[] } // of eth_getLogs
    return [address, ...topics].some((list) => Array.isArray(list) && list.length > limit)
  }
  const methods = ['eth_getLogs']
  if ('code' in how) return { methods, fault: { kind: 'refuse', ...how, when: isLarge } }
  return {
    methods,
    fault: {
      kind: 'http',
      ...how,
      when: (requests) => requests.some((one) => one.method === 'eth_getLogs' && isLarge(one)),
    },
  }
}

/**
 * The requests of a batch are limited; with 0, batches are refused altogether, even those of one request.
 * `each` gives every request the error, `one` replaces the batch by one error.
 */
export const limitedBatches = (
  limit: number,
  how: number | 'each' | 'one',
  message = 'batch too large',
): RpcRule => ({
  fault: {
    kind: 'http',
    status: typeof how === 'number' ? how : 200,
    body: (requests) => {
      if (typeof how === 'number') return ''
      const error = { code: -32600, message }
      return JSON.stringify(
        how === 'one'
          ? { jsonrpc: '2.0', id: null, error }
          : requests.map(({ id }) => ({ jsonrpc: '2.0', id, error })),
      )
    },
    when: (requests) => requests.length > Math.max(limit, 1),
  },
})

/** The body of an HTTP request is limited, in characters. */
export const limitedBodies = (limit: number, how: Refusal = { status: 413 }): RpcRule => {
  const isLarge = (sent: unknown) => JSON.stringify(sent).length > limit
  return {
    fault:
      'status' in how ? { kind: 'http', ...how, when: isLarge } : { kind: 'refuse', ...how, when: isLarge },
  }
}

/** Some round trips are limited by their number. */
export const rateLimit = (
  how: Refusal,
  more: Pick<RpcRule, 'times' | 'every' | 'methods'> & { readonly retryAfter?: string } = {},
): RpcRule => {
  const { retryAfter, ...rest } = more
  const fault: RpcFault =
    'status' in how
      ? { kind: 'http', ...how, ...(retryAfter !== undefined && { headers: { 'retry-after': retryAfter } }) }
      : { kind: 'error', ...how }
  return { ...rest, fault }
}

type When = (request: RpcRequest) => boolean

/** Requests get an error, all of them or those that match `when`. */
const failing = (
  methods: readonly string[],
  code: number,
  message: string,
  when: When = () => true,
): RpcRule => ({
  methods,
  fault: { kind: 'error', code, message, when },
})

/** The node does not have a method. */
export const withoutMethod = (method: string): RpcRule =>
  failing([method], -32601, `the method ${method} does not exist/is not available`)

/** The node does not know a block tag; by geth's error, or by null. */
export const withoutTag = (tag: 'finalized' | 'safe', answer: 'error' | 'null'): RpcRule => {
  const isTag: When = ({ params: [block] = [] }) => block === tag
  const methods = ['eth_getBlockByNumber']
  return answer === 'error'
    ? failing(methods, -39001, `${tag} block not found`, isTag)
    : { methods, fault: { kind: 'lie', change: (block, request) => (isTag(request) ? null : block) } }
}

/** The node refuses the third parameter of `eth_call`. */
export const refusedOverrides = (): RpcRule =>
  failing(['eth_call'], -32602, 'too many arguments, want at most 2', ({ params = [] }) => params.length > 2)

/** The node ignores the third parameter of `eth_call`, or one member of each override. */
export const ignoredOverrides = (member?: 'code' | 'balance' | 'stateDiff'): RpcRule => ({
  methods: ['eth_call'],
  fault: {
    kind: 'ask',
    change(request) {
      const { params: [call, block, overrides] = [] } = request
      if (typeof overrides !== 'object' || overrides === null) return request
      if (member === undefined) return { ...request, params: [call, block] }
      const left = Object.entries(overrides).map(([address, { [member]: _, ...others }]) => [address, others])
      return { ...request, params: [call, block, Object.fromEntries(left)] }
    },
  },
})

/** One of the provider's nodes lags behind: each n-th round trip reaches it. */
export const laggingNode = (blocks: number, every = 2): RpcRule => ({
  every,
  fault: { kind: 'behind', blocks },
})

/** How often a rule applies. */
type Frequency = Pick<RpcRule, 'times' | 'every'>

/** Receipts arrive late: the first requests get none, or each n-th. */
export const lateReceipts = (when: Frequency): RpcRule => ({
  ...when,
  methods: ['eth_getTransactionReceipt'],
  fault: { kind: 'null' },
})

/** Calls at a block reach a node that does not have it yet. */
export const headerNotFound = (when: Frequency): RpcRule => ({
  ...when,
  ...failing(['eth_call', 'eth_getBalance'], -32000, 'header not found'),
})
