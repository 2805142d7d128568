import type { z } from 'zod'
import type { Access, NeededScope } from './access.ts'
import { type ErrorCode, errorTable } from './errors/error-table.ts'

/**
 * The counters of the rate limits. `calls`: every call, and no other counter. `reads`: also calls that read
 * chains, or much of the database. `builds`: also calls that simulate, or look up the operation of a
 * signature. `ceremonies`: also calls that write challenges for anyone, verify signatures, or pay for a
 * deployment. `health`: checks of the service, which are counted separately.
 */
export const rateBuckets = ['calls', 'reads', 'builds', 'ceremonies', 'health'] as const

export type RateBucket = (typeof rateBuckets)[number]

interface CommonDeclaration {
  /** Exact path, without parameters. */
  readonly path: `/${string}`
  readonly tag: string
  readonly bucket: RateBucket
  /**
   * Who may call it. Both transports check this before anything is read; procedures check what depends on the
   * request.
   */
  readonly access: Access
  /** The scope that a key needs. Absent: `full`. Only what changes nothing may name another. */
  readonly scope?: NeededScope
  /**
   * `any`: pages of every origin may read the response. Absent: only those of ORIGINS and of publishable
   * keys.
   */
  readonly origins?: 'any'
  readonly summary: string
  readonly description?: string
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  readonly output: z.ZodType
  /** Error codes in addition to those of every endpoint (`commonErrors`). */
  readonly errors?: readonly ErrorCode[]
  /**
   * `fixed`: callers rely on this endpoint's statuses, which are 400 for any error in the request and 500 for
   * any failure behind it. `code` still distinguishes the errors.
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
   * `keyed`: with an Idempotency-Key, retries get the same response. `none`: a key is accepted and has no
   * effect. Ceremonies use `none`: their responses contain a user's token, or a challenge that soon expires,
   * and neither is stored in the database. A challenge is valid for one response, so a second one is rejected
   * (VERIFICATION_FAILED). Message signatures use `none`, too: they are computed from each request and not
   * stored.
   */
  readonly idempotency: 'keyed' | 'none'
  /** KiB of the body, at most. Absent: {@link usualMaxBody}. A longer one is rejected before it is read. */
  readonly maxBody?: 64 | 128 | 256
}

/** KiB of a body, at most, if its endpoint does not declare otherwise. */
export const usualMaxBody = 32

/** The schemas and facts of one endpoint. Everything else (router types, REST, OpenAPI, policy) derives from it. */
export type EndpointDeclaration = QueryDeclaration | MutationDeclaration

/** Declares an endpoint. Literal types are kept, so that the compiler knows method, path and schemas. */
export function endpoint<const E extends EndpointDeclaration>(declaration: E): E {
  return declaration
}

/** The errors that every endpoint can return in addition to its own. */
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

/** The errors of every endpoint that takes an account. */
const accountErrors = ['NOT_SUPPORTED_BY_ACCOUNT', 'AMBIGUOUS_WALLET'] as const satisfies readonly ErrorCode[]

/** All errors that an endpoint can return. */
export const errorsOf = ({ errors = [] }: Pick<EndpointDeclaration, 'errors'>): readonly ErrorCode[] => [
  ...errors,
  ...(errors.includes('UNKNOWN_WALLET') ? accountErrors : []),
  ...commonErrors,
]

/** Statuses sent before any handler runs, so they also apply to `fixed` endpoints. */
const beforeAnyHandler: readonly number[] = [401, 403, 405, 413, 415, 429]

/** The HTTP status of an error code at an endpoint. */
export function statusOf(code: ErrorCode, declaration?: Pick<EndpointDeclaration, 'statuses'>): number {
  const { status } = errorTable[code]
  const isBefore = beforeAnyHandler.includes(status) || code === 'REQUEST_IN_PROGRESS'
  if (declaration?.statuses !== 'fixed' || isBefore) return status
  return status < 500 ? 400 : 500
}

type Fields<S> = S extends z.ZodObject ? S['shape'] : Record<never, never>

/** Query and body combined, the input of a procedure. */
export type InputSchema<E extends EndpointDeclaration> = z.ZodObject<
  Fields<E['query']> & Fields<E['body']>,
  z.core.$strip
>
/** What a caller may send. */
export type EndpointInput<E extends EndpointDeclaration> = z.input<InputSchema<E>>
/** What a procedure receives after parsing. */
export type EndpointArguments<E extends EndpointDeclaration> = z.output<InputSchema<E>>
/** What a procedure returns. */
export type EndpointResult<E extends EndpointDeclaration> = z.input<E['output']>
/** What a caller receives. */
export type EndpointOutput<E extends EndpointDeclaration> = z.output<E['output']>
