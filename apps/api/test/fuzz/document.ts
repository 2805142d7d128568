import { readFileSync } from 'node:fs'
import { endpointList } from '../../src/platform/endpoint-list.ts'

/** The part of JSON Schema that the document uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly maxItems?: number
  readonly minItems?: number
  readonly pattern?: string
  readonly format?: string
  readonly example?: unknown
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
}

interface DocumentedResponse {
  readonly content: { readonly 'application/json': { readonly schema: JsonSchema } }
  readonly 'x-lanyard-codes'?: readonly string[]
}

interface DocumentedParameter {
  readonly $ref?: string
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly schema: JsonSchema
}

interface DocumentedOperation {
  readonly operationId: string
  readonly parameters?: readonly DocumentedParameter[]
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: JsonSchema } }
  }
  readonly responses: Readonly<Record<string, DocumentedResponse>>
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly parameters: Readonly<Record<string, DocumentedParameter>>
  }
}

/** The OpenAPI document as callers get it. Every operation in it is fuzzed without a change here. */
export const document: OpenApi = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
)

/** One operation of the document, as the fuzzer calls it. */
export interface FuzzedOperation {
  readonly id: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** The name of its tRPC procedure. */
  readonly procedure: string
  readonly query: Readonly<Record<string, { readonly required: boolean; readonly schema: JsonSchema }>>
  readonly body: JsonSchema | undefined
  /** Documented statuses, with the codes that each may carry. */
  readonly responses: ReadonlyMap<number, readonly string[]>
}

const last = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)

/** Resolves a reference to a schema. */
export function resolveSchema(schema: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema
  const named = document.components.schemas[last(schema.$ref)]
  if (named) return resolveSchema(named)
  throw new TypeError(`The document has no ${schema.$ref}`)
}

const procedures = new Map(
  endpointList.map(({ name, declaration }) => [`${declaration.method} ${declaration.path}`, name]),
)

function toOperation(method: string, path: string, operation: DocumentedOperation): FuzzedOperation {
  const upper = method === 'get' ? 'GET' : 'POST'
  const parameters = (operation.parameters ?? []).map((parameter) =>
    parameter.$ref === undefined ? parameter : document.components.parameters[last(parameter.$ref)],
  )
  const query = parameters
    .filter((parameter) => parameter?.in === 'query')
    .flatMap((parameter) => (parameter ? [parameter] : []))
  return {
    id: operation.operationId,
    method: upper,
    path,
    procedure: procedures.get(`${upper} ${path}`) ?? '',
    query: Object.fromEntries(
      query.map(({ name, required = false, schema }) => [name, { required, schema }] as const),
    ),
    body: operation.requestBody?.content['application/json'].schema,
    responses: new Map(
      Object.entries(operation.responses).map(([status, response]) => [
        Number(status),
        response['x-lanyard-codes'] ?? [],
      ]),
    ),
  }
}

/** Every operation of the document. */
export const operations: readonly FuzzedOperation[] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => toOperation(method, path, operation)),
)

export function operationOf(id: string): FuzzedOperation {
  const found = operations.find((operation) => operation.id === id)
  if (found) return found
  throw new TypeError(`The document has no operation ${id}`)
}
