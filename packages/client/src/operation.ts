import { LanyardApiError } from './api-error.ts'
import type { Client } from './generated/client/index.ts'

/** The request of an operation in the generated types. */
interface RequestData {
  body?: unknown
  query?: unknown
}

/** The document has `never` where there is no such part. */
type Part<T> = [T] extends [never] ? Record<never, never> : T

/** Query and body as one flat object, as in the service's tRPC procedures. */
export type OperationInput<Data extends RequestData> = Part<NonNullable<Data['query']>> &
  Part<NonNullable<Data['body']>>

export interface RequestOptions {
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Calls one endpoint.
 *
 * @throws LanyardApiError if the service returns an error; errors of fetch if there is no response
 */
export type Operation<Data extends RequestData, Result> =
  Record<never, never> extends OperationInput<Data>
    ? (input?: OperationInput<Data>, options?: RequestOptions) => Promise<Result>
    : (input: OperationInput<Data>, options?: RequestOptions) => Promise<Result>

interface Answer {
  readonly data?: unknown
  readonly error?: unknown
  readonly response?: Response
}

/**
 * A generated function. Its parameters are typed by its endpoint; `Operation` describes them more precisely.
 */
type SdkFunction = (options: never) => Promise<Answer>

/**
 * Wraps a generated function as an operation.
 *
 * @param queryNames - inputs sent in the query; all others are sent in the body
 */
export function operation<Data extends RequestData, Result>(
  client: Client,
  call: SdkFunction,
  queryNames: readonly string[],
): Operation<Data, Result> {
  const send = async (input: Readonly<Record<string, unknown>> = {}, options: RequestOptions = {}) => {
    const entries = Object.entries(input)
    const query = Object.fromEntries(entries.filter(([name]) => queryNames.includes(name)))
    const body = Object.fromEntries(entries.filter(([name]) => !queryNames.includes(name)))
    const request = {
      client,
      query,
      ...(Object.keys(body).length > 0 && { body }),
      ...options,
    }
    const { data, error, response } = await call(request as never) // typed by Operation, see SdkFunction
    if (!response) throw error
    if (!response.ok) throw new LanyardApiError(response.status, error)
    return data
  }
  return send as Operation<Data, Result> // the generated document has the type of `data`
}
