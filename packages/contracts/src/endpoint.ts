import type { z } from 'zod'
import type { Access } from './access.ts'
import { type ErrorCode, errorTable } from './errors/error-table.ts'

/**
 * What the rate of calls is counted in. `calls`: every call, with nothing besides. `reads`: also those that read chains, or
 * much of the database. `builds`: also those that simulate, or look for the operation of a signature. `ceremonies`: also
 * those that write challenges for anyone, verify signatures, or pay for a deployment. `health`: checks of the service,
 * which are counted apart from everything else.
 */
export const rateBuckets = ['calls', 'reads', 'builds', 'ceremonies', 'health'] as const

export type RateBucket = (typeof rateBuckets)[number]

interface CommonDeclaration {
  /** Exact path, without parameters. */
  readonly path: `/${string}`
  readonly tag: string
  readonly bucket: RateBucket
  /** Who may call it. Both transports ask before anything is read; procedures do what depends on the request. */
  readonly access: Access
  /** `any`: pages of every origin may read the answer. Absent: those of ORIGINS and of publishable keys. */
  readonly origins?: 'any'
  readonly summary: string
  readonly description?: string
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  readonly output: z.ZodType
  /** Codes beyond those that any endpoint can answer (`commonErrors`). */
  readonly errors?: readonly ErrorCode[]
  /**
   * `fixed`: part 7 of the interface lists this endpoint's statuses (400 for whatever is wrong with the
   * request, 500 for whatever fails behind it); `code` still tells which.
   */
  readonly statuses?: 'fixed'
}

/** An endpoint that only reads. */
export interface QueryDeclaration extends CommonDeclaration {
  readonly method: 'GET'
}

export interface MutationDeclaration extends CommonDeclaration {
  readonly method: 'POST'
  /**
   * `keyed`: an Idempotency-Key makes retries answer the same. `none`: a key is accepted and changes nothing. So it is for
   * ceremonies: their answers hold a user's token, or a challenge that soon expires, and neither is kept in the database. A
   * challenge is valid for one answer, so a second one is rejected (VERIFICATION_FAILED). So it is, too, for signatures over
   * messages: they are computed from each request, and stored nowhere.
   */
  readonly idempotency: 'keyed' | 'none'
}

/** The schemas and facts of one endpoint. Everything else (router types, REST, OpenAPI, policy) derives from it. */
export type EndpointDeclaration = QueryDeclaration | MutationDeclaration

/** Declares an endpoint; the literal types are kept, so that method, path and schemas are known to the compiler. */
export function endpoint<const E extends EndpointDeclaration>(declaration: E): E {
  return declaration
}

/** What every endpoint can answer besides its own errors. */
export const commonErrors = [
  'INVALID_INPUT',
  'INVALID_JSON',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'RATE_LIMITED',
  'INTERNAL',
  'DATABASE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[]

/** Statuses that are answered before any handler runs, and so hold for `fixed` endpoints too. */
const beforeAnyHandler: readonly number[] = [401, 403, 413, 415, 429]

/** The HTTP status of an error code at an endpoint. */
export function statusOf(code: ErrorCode, declaration?: Pick<EndpointDeclaration, 'statuses'>): number {
  const { status } = errorTable[code]
  const isBefore = beforeAnyHandler.includes(status) || code === 'REQUEST_IN_PROGRESS'
  if (declaration?.statuses !== 'fixed' || isBefore) return status
  return status < 500 ? 400 : 500
}

type Fields<S> = S extends z.ZodObject ? S['shape'] : Record<never, never>

/** Query and body as the one input that a procedure takes. */
export type InputSchema<E extends EndpointDeclaration> = z.ZodObject<
  Fields<E['query']> & Fields<E['body']>,
  z.core.$strip
>
/** What a caller may write. */
export type EndpointInput<E extends EndpointDeclaration> = z.input<InputSchema<E>>
/** What a procedure receives after parsing. */
export type EndpointArguments<E extends EndpointDeclaration> = z.output<InputSchema<E>>
/** What a procedure returns. */
export type EndpointResult<E extends EndpointDeclaration> = z.input<E['output']>
/** What a caller receives. */
export type EndpointOutput<E extends EndpointDeclaration> = z.output<E['output']>
