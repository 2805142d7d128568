import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, ask, askUntilDone } from '../http-service.ts'
import type { Replica } from './replicas.ts'
import type { Tally } from './tally.ts'

interface Request {
  /** The group for durations, e.g. "read" or "build". */
  readonly kind: string
  readonly path: string
  /** Absent for GET. */
  readonly body?: unknown
}

/** A careful caller behind a load balancer. */
export interface LoadClient {
  /**
   * Tries one replica after the other until one answers. All attempts of a mutation share one Idempotency-Key. Any
   * status other than 200 is a fault.
   */
  send(request: Request): Promise<Answer>
}

/** Every n-th mutation is repeated on another replica after its answer. */
const repeatEvery = 5

/** Every request must have an answer within this many milliseconds. It is longer than the wait for inclusion. */
const timeout = 90_000

export function createLoadClient(replicas: readonly Replica[], tally: Tally): LoadClient {
  let turn = 0
  let mutations = 0
  const next = () => replicas[turn++ % replicas.length] as Replica // `replicas` is not empty.

  /** Returns undefined if the request lost its replica or the replica had not started. */
  async function attempt({ kind, path, body }: Request, key: string, first: boolean) {
    const replica = next()
    const deaths = replica.deaths()
    const wasRestarting = replica.isRestarting()
    const startedAt = performance.now()
    try {
      const answer = await askUntilDone(() =>
        ask(`${replica.url}${path}`, {
          ...(body !== undefined && {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'idempotency-key': key },
            body: JSON.stringify(body),
          }),
          signal: AbortSignal.timeout(timeout),
        }),
      )
      if (answer.status === 503 && answer.body?.code === 'STARTING') return undefined
      if (first) tally.answered(kind, answer.status, performance.now() - startedAt)
      if (answer.status !== 200) tally.fault(`${kind}: ${answer.status} ${answer.text}`)
      return answer
    } catch (error) {
      const isDead = wasRestarting || replica.isRestarting() || replica.deaths() !== deaths
      if (!isDead) tally.fault(`${kind}: ${replica.url} is alive but gave no answer: ${error}`)
      tally.count('attempts that lost their replica')
      return undefined
    }
  }

  async function retryUntilAnswered(
    request: Request,
    key: string,
  ): Promise<{ answer: Answer; attempts: number }> {
    const startedAt = performance.now()
    for (let attempts = 1; ; attempts++) {
      const answer = await attempt(request, key, attempts === 1)
      if (answer) {
        if (attempts > 1) tally.answeredLate(performance.now() - startedAt)
        return { answer, attempts }
      }
      if (performance.now() - startedAt > timeout) throw new Error(`${request.kind}: no replica answered`)
      await delay(50)
    }
  }

  return {
    async send(request) {
      const key = randomUUID()
      const { answer, attempts } = await retryUntilAnswered(request, key)
      if (request.body === undefined || answer.status !== 200) return answer
      if (attempts > 1 || mutations++ % repeatEvery === 0) {
        const { answer: again } = await retryUntilAnswered(request, key)
        if (again.text !== answer.text)
          tally.fault(`${request.kind}: the repeated request answered ${again.text}`)
        tally.count('repeated mutations with the same answer')
      }
      return answer
    },
  }
}
