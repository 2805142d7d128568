/** One request of a round trip, as it was sent. */
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

/** What goes wrong. Those of the first group concern the whole round trip, the others one answer in it. */
export type RpcFault =
  /** The answer comes so many milliseconds later. */
  | { readonly kind: 'delay'; readonly milliseconds: number }
  /** The request is taken, passed on to nobody, and never answered. */
  | { readonly kind: 'silence' }
  /** The node gets the request, and the connection is reset before its answer. */
  | { readonly kind: 'cut' }
  /** The node's answer, of which only the first bytes arrive before the connection ends. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** The node's answer, of which only the first bytes arrive; the connection stays open. */
  | { readonly kind: 'stall'; readonly bytes: number }
  /** The round trip is passed on to nobody and answered so. */
  | {
      readonly kind: 'http'
      readonly status: number
      readonly body?: string
      readonly headers?: Readonly<Record<string, string>>
    }
  /** The answer is left out of its batch. */
  | { readonly kind: 'omit' }
  /** The answer is null. */
  | { readonly kind: 'null' }
  /** The answer is an error of JSON-RPC: to every request, or to those that `when` names. */
  | {
      readonly kind: 'error'
      readonly code: number
      readonly message: string
      readonly when?: (request: RpcRequest) => boolean
    }
  /** The answer is another one: `change` gets the node's result. */
  | { readonly kind: 'lie'; readonly change: (result: unknown, request: RpcRequest) => unknown }

export interface RpcRule {
  /** Absent: all. */
  readonly methods?: readonly string[]
  /** For so many round trips; absent: until the rules change. */
  readonly times?: number
  readonly fault: RpcFault
}

export const concerns = ({ methods }: RpcRule, { method }: RpcRequest): boolean =>
  methods === undefined || methods.includes(method)

/** An answer with everything that the rules change in it, in their order; undefined: it is left out. */
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
