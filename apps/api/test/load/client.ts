import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, ask, askUntilDone } from '../http-service.ts'
import type { Replica } from './replicas.ts'
import type { Tally } from './tally.ts'

interface Request {
  /** Groups durations: "read", "build". */
  readonly kind: string
  readonly path: string
  /** Absent: GET. */
  readonly body?: unknown
}

/** What a careful caller behind a balancer does. */
export interface LoadClient {
  /**
   * Asks one replica after the other until one answers; a mutation has one Idempotency-Key for all its attempts.
   * Anything but 200 is a fault.
   */
  send(request: Request): Promise<Answer>
}

/** Every so many mutations are asked for again, of another replica, after they were answered. */
const repeatEvery = 5

/** Milliseconds in which every request must have been answered: the bound of inclusion, and some. */
const bound = 90_000

export function createLoadClient(replicas: readonly Replica[], tally: Tally): LoadClient {
  let turn = 0
  let mutations = 0
  const next = () => replicas[turn++ % replicas.length] as Replica // there are some

  /** Undefined: it lost its replica, or the replica had not started. */
  async function attempt({ kind, path, body }: Request, key: string, first: boolean) {
    const replica = next()
    const deaths = replica.deaths()
    const wasRestarting = replica.isRestarting()
    const began = performance.now()
    try {
      const answer = await askUntilDone(() =>
        ask(`${replica.url}${path}`, {
          ...(body !== undefined && {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'idempotency-key': key },
            body: JSON.stringify(body),
          }),
          signal: AbortSignal.timeout(bound),
        }),
      )
      if (answer.status === 503 && answer.body?.code === 'STARTING') return undefined
      if (first) tally.answered(kind, answer.status, performance.now() - began)
      if (answer.status !== 200) tally.fault(`${kind}: ${answer.status} ${answer.text}`)
      return answer
    } catch (error) {
      const isDead = wasRestarting || replica.isRestarting() || replica.deaths() !== deaths
      if (!isDead) tally.fault(`${kind}: ${replica.url} lives, and gave no answer: ${error}`)
      tally.count('attempts that lost their replica')
      return undefined
    }
  }

  async function untilAnswered(request: Request, key: string): Promise<{ answer: Answer; attempts: number }> {
    const began = performance.now()
    for (let attempts = 1; ; attempts++) {
      const answer = await attempt(request, key, attempts === 1)
      if (answer) {
        if (attempts > 1) tally.answeredLate(performance.now() - began)
        return { answer, attempts }
      }
      if (performance.now() - began > bound) throw new Error(`${request.kind}: no replica answered`)
      await delay(50)
    }
  }

  return {
    async send(request) {
      const key = randomUUID()
      const { answer, attempts } = await untilAnswered(request, key)
      if (request.body === undefined || answer.status !== 200) return answer
      if (attempts > 1 || mutations++ % repeatEvery === 0) {
        const { answer: again } = await untilAnswered(request, key)
        if (again.text !== answer.text) tally.fault(`${request.kind}: asked again, answered ${again.text}`)
        tally.count('mutations asked for again, answered the same')
      }
      return answer
    },
  }
}
