/** A REST call of an operation, as JSON with placeholders. A seed generates it, and the corpus stores it. */
export interface RestRequest {
  readonly transport: 'REST'
  /** The document's operationId. */
  readonly operation: string
  /** Names and values in order, including repeated names. */
  readonly query?: readonly (readonly [string, string])[]
  /** Appended to the query unchanged. */
  readonly queryTail?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The body in one of three forms: a JSON value, the text as it is sent, or bytes in base64. */
  readonly body?: unknown
  readonly text?: string
  readonly bytes?: string
}

/** A request over tRPC: one call or a batch. */
export interface TrpcRequest {
  readonly transport: 'tRPC'
  readonly method: 'GET' | 'POST'
  /** The operationId of each call. Any other text is used as the name of a procedure. */
  readonly calls: readonly string[]
  readonly batch: boolean
  readonly headers?: Readonly<Record<string, string>>
  /** The input, or the inputs of a batch by index: a JSON value, or the text as it is sent. */
  readonly input?: unknown
  readonly text?: string
}

export type FuzzRequest = RestRequest | TrpcRequest
