import {
  type EndpointDeclaration,
  type ErrorCode,
  endpoints,
  errorBody,
  errorsOf,
  errorTable,
  statusOf,
} from '@lanyard/contracts'
import type { ZodOpenApiResponsesObject } from 'zod-openapi'
import { takesIdempotencyKey } from '../../pipeline/idempotency/takes-key.ts'
import { retryHeaders } from './headers.ts'

/** Every code that an endpoint can answer, grouped by its status there. */
function codesByStatus(declaration: EndpointDeclaration): Map<number, ErrorCode[]> {
  const keyed: readonly ErrorCode[] = takesIdempotencyKey(declaration)
    ? ['IDEMPOTENCY_MISMATCH', 'REQUEST_IN_PROGRESS']
    : []
  const codes = new Set<ErrorCode>([...errorsOf(declaration), ...keyed])
  const statuses = [...codes].map((code) => [statusOf(code, declaration), code] as const)
  const grouped = Map.groupBy(statuses, ([status]) => status)
  return new Map(
    [...grouped].sort(([a], [b]) => a - b).map(([status, pairs]) => [status, pairs.map(([, code]) => code)]),
  )
}

const inWords = (codes: readonly ErrorCode[]) =>
  codes.map((code) => `- \`${code}\`: ${errorTable[code].message}`).join('\n')

// The table has only 4xx and 5xx statuses; the type requires the first digit.
const statusKey = (status: number) => String(status) as `4${string}` | `5${string}`

/** The answers of an endpoint: its output, and its errors grouped by status, with every code. */
export function responsesOf(declaration: EndpointDeclaration): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {
    '200': { description: 'Success', content: { 'application/json': { schema: declaration.output } } },
  }
  for (const [status, codes] of codesByStatus(declaration)) {
    responses[statusKey(status)] = {
      description: inWords(codes),
      content: { 'application/json': { schema: errorBody } },
      ...(status === errorTable.RATE_LIMITED.status && { headers: retryHeaders }),
      'x-lanyard-codes': codes,
    }
  }
  if (declaration === endpoints.system.health) {
    responses['503'] = {
      description: 'The service cannot work: no database, or no network.',
      content: { 'application/json': { schema: declaration.output } },
    }
  }
  return responses
}
