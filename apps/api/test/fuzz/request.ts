/** A call of an operation over REST, as a seed makes it and as the corpus keeps it. JSON values, with placeholders. */
export interface RestRequest {
  readonly transport: 'REST'
  /** The document's operationId. */
  readonly operation: string
  /** Names and values in their order, repeated ones too. */
  readonly query?: readonly (readonly [string, string])[]
  /** Put behind the query as it stands. */
  readonly queryTail?: string
  readonly headers?: Readonly<Record<string, string>>
  /** One of three forms of a body: a JSON value, text as it is sent, or bytes in base64. */
  readonly body?: unknown
  readonly text?: string
  readonly bytes?: string
}

/** A request of the tRPC transport: one call, or a batch of some. */
export interface TrpcRequest {
  readonly transport: 'tRPC'
  readonly method: 'GET' | 'POST'
  /** Operations called, by operationId; what is none of them is taken as a procedure's name. */
  readonly calls: readonly string[]
  readonly batch: boolean
  readonly headers?: Readonly<Record<string, string>>
  /** The inputs: of a batch by their place. A JSON value, or text as it is sent. */
  readonly input?: unknown
  readonly text?: string
}

export type FuzzRequest = RestRequest | TrpcRequest
