/** One request of a round trip, as sent. */
export interface RpcRequest {
  readonly id?: unknown
  readonly method: string
  readonly params?: readonly unknown[]
}

/** The node's answer to one request. */
export interface RpcAnswer {
  readonly jsonrpc?: string
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: unknown
}

/** A fault. The first group affects the whole round trip; the others affect one answer in it. */
export type RpcFault =
  /** Delays the answer. */
  | { readonly kind: 'delay'; readonly milliseconds: number }
  /** The request is received, but not forwarded and never answered. */
  | { readonly kind: 'silence' }
  /** The node gets the request, and the connection is reset before its answer. */
  | { readonly kind: 'cut' }
  /** Only the first bytes of the node's answer arrive before the connection ends. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** Only the first bytes of the node's answer arrive; the connection stays open. */
  | { readonly kind: 'stall'; readonly bytes: number }
  /** The round trip is not forwarded and gets this response, always or only if it matches `when`. */
  | {
      readonly kind: 'http'
      readonly status: number
      readonly body?: string | ((requests: readonly RpcRequest[]) => string)
      readonly headers?: Readonly<Record<string, string>>
      readonly when?: (requests: readonly RpcRequest[]) => boolean
    }
  /** The node answers as it did some blocks ago: it is another node of the provider, which lags behind. */
  | { readonly kind: 'behind'; readonly blocks: number }
  /** The answer is missing from its batch. */
  | { readonly kind: 'omit' }
  /** The answer is null. */
  | { readonly kind: 'null' }
  /** The answer is a JSON-RPC error, for every request or only for those that match `when`. */
  | {
      readonly kind: 'error'
      readonly code: number
      readonly message: string
      readonly when?: (request: RpcRequest) => boolean
    }
  /** As `error`, but the request does not reach the node. */
  | {
      readonly kind: 'refuse'
      readonly code: number
      readonly message: string
      readonly when?: (request: RpcRequest) => boolean
    }
  /** The node gets another request: `change` gets the one that was sent. */
  | { readonly kind: 'ask'; readonly change: (request: RpcRequest) => RpcRequest }
  /** The answer is changed: `change` gets the node's result. */
  | { readonly kind: 'lie'; readonly change: (result: unknown, request: RpcRequest) => unknown }

export interface RpcRule {
  /** Absent: all methods. */
  readonly methods?: readonly string[]
  /** The number of round trips. Absent: until the rules change. */
  readonly times?: number
  /** Of the round trips that it concerns, only each n-th. Absent: each. */
  readonly every?: number
  readonly fault: RpcFault
}

export const concerns = ({ methods }: RpcRule, { method }: RpcRequest): boolean =>
  methods === undefined || methods.includes(method)

/** The answer to a request that does not reach the node; undefined if it does. */
export function refuse(request: RpcRequest, rules: readonly RpcRule[]): RpcAnswer | undefined {
  for (const rule of rules) {
    const { fault } = rule
    if (fault.kind !== 'refuse' || !concerns(rule, request) || fault.when?.(request) === false) continue
    return { jsonrpc: '2.0', id: request.id, error: { code: fault.code, message: fault.message } }
  }
  return undefined
}

/** The request that reaches the node. */
export const rewrite = (request: RpcRequest, rules: readonly RpcRule[]): RpcRequest =>
  rules.reduce(
    (requested, rule) =>
      rule.fault.kind === 'ask' && concerns(rule, requested) ? rule.fault.change(requested) : requested,
    request,
  )

/** Applies the rules to an answer in order. Undefined: the answer is omitted. */
export function falsify(
  answer: RpcAnswer,
  request: RpcRequest,
  rules: readonly RpcRule[],
): RpcAnswer | undefined {
  let changed = answer
  for (const rule of rules) {
    if (!concerns(rule, request)) continue
    const { jsonrpc = '2.0', id } = changed
    const { fault } = rule
    if (fault.kind === 'omit') return undefined
    if (fault.kind === 'null') changed = { jsonrpc, id, result: null }
    if (fault.kind === 'error' && (fault.when?.(request) ?? true)) {
      changed = { jsonrpc, id, error: { code: fault.code, message: fault.message } }
    }
    if (fault.kind === 'lie' && changed.error === undefined) {
      changed = { jsonrpc, id, result: fault.change(changed.result, request) }
    }
  }
  return changed
}
