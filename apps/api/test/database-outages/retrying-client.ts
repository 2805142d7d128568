import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { statusOf } from '@lanyard/contracts'
import { endpointList } from '../../src/platform/endpoint-list.ts'
import { type Answer, ask, askUntilDone } from '../http-service.ts'
import type { LoadClient } from '../load/client.ts'

/** Milliseconds within which every request must be answered, whatever the state of the database. */
const timeout = 40_000

/** Milliseconds before a refused request is retried. */
const pause = 150

export interface RetryingClient extends LoadClient {
  /** Number of answers after which the client retried. */
  readonly refusals: () => number
  /** Number of successful requests. */
  readonly answers: () => number
  /** Descriptions of unexpected answers. */
  readonly faults: readonly string[]
  readonly slowest: () => number
}

const declarationOf = (path: string) =>
  endpointList.find(({ declaration }) => declaration.path === path.split('?')[0])?.declaration

/**
 * Errors that the client retries: the database is unavailable, the inclusion takes too long, or too many orders of
 * an account wait for a worker without a database.
 */
const retriedCodes = ['DATABASE_UNAVAILABLE', 'INCLUSION_TIMEOUT', 'LANES_EXHAUSTED'] as const

/** Whether the answer has one of these codes with its declared status. */
function isRejection(path: string, { status, body }: Answer): boolean {
  if (path === '/health') return status === 503 && body?.status === 'down'
  const code = retriedCodes.find((one) => one === body?.code)
  return code !== undefined && status === statusOf(code, declarationOf(path))
}

/**
 * A client of a service with database outages. It retries with the same Idempotency-Key until a request succeeds.
 */
export function createRetryingClient(url: string): RetryingClient {
  const faults: string[] = []
  let rejected = 0
  let slowest = 0
  let answers = 0

  return {
    async send({ kind, path, body }) {
      const key = randomUUID()
      for (;;) {
        const began = performance.now()
        const answer = await askUntilDone(() =>
          ask(`${url}${path}`, {
            ...(body !== undefined && {
              method: 'POST',
              headers: { 'content-type': 'application/json', 'idempotency-key': key },
              body: JSON.stringify(body),
            }),
            signal: AbortSignal.timeout(timeout),
          }),
        ).catch((cause: unknown) => {
          faults.push(`${kind}: no answer: ${cause}`)
          throw new Error(`${kind}: no answer`, { cause })
        })
        slowest = Math.max(slowest, performance.now() - began)
        if (answer.status === 200) {
          answers++
          return answer
        }
        if (!isRejection(path, answer)) {
          faults.push(`${kind}: ${answer.status} ${answer.text}`)
          return answer
        }
        rejected++
        await delay(pause)
      }
    },
    refusals: () => rejected,
    answers: () => answers,
    faults,
    slowest: () => slowest,
  }
}
