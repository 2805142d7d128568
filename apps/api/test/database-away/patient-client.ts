import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { statusOf } from '@lanyard/contracts'
import { endpointList } from '../../src/platform/endpoint-list.ts'
import { type Answer, ask, askUntilDone } from '../http-service.ts'
import type { LoadClient } from '../load/client.ts'

/** Milliseconds in which every request is answered, whatever the database does. */
const bound = 40_000

/** Milliseconds until a request that was refused is sent again. */
const pause = 150

export interface PatientClient extends LoadClient {
  /** Answers that said that the database, or inclusion, takes too long: what the client asked for again. */
  readonly refusals: () => number
  /** Requests that got what they asked for. */
  readonly answers: () => number
  /** What must not be. */
  readonly faults: readonly string[]
  readonly slowest: () => number
}

const declarationOf = (path: string) =>
  endpointList.find(({ declaration }) => declaration.path === path.split('?')[0])?.declaration

/**
 * That the database is away, that the chain was not heard of in time, or that too many orders of an account wait for a
 * worker that is cut off to look at them.
 */
const refusals = ['DATABASE_UNAVAILABLE', 'INCLUSION_TIMEOUT', 'LANES_EXHAUSTED'] as const

/** Whether it says one of these, as declared. */
function isRefusal(path: string, { status, body }: Answer): boolean {
  if (path === '/health') return status === 503 && body?.status === 'down'
  const code = refusals.find((one) => one === body?.code)
  return code !== undefined && status === statusOf(code, declarationOf(path))
}

/**
 * A caller of one service whose database goes away now and then: asks again, with the same Idempotency-Key, until it has
 * what it asked for.
 */
export function createPatientClient(url: string): PatientClient {
  const faults: string[] = []
  let refused = 0
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
            signal: AbortSignal.timeout(bound),
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
        if (!isRefusal(path, answer)) {
          faults.push(`${kind}: ${answer.status} ${answer.text}`)
          return answer
        }
        refused++
        await delay(pause)
      }
    },
    refusals: () => refused,
    answers: () => answers,
    faults,
    slowest: () => slowest,
  }
}
