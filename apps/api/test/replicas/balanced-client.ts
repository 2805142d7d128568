import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, ask, askUntilDone } from '../http-service.ts'
import type { LoadClient } from '../load/client.ts'
import type { Tally } from '../load/tally.ts'
import type { Outages } from './outages.ts'

/** The statuses that a balancer answers if a replica dies during the request. */
const statusesOfDeadReplica = [502, 503]

/** The name of these answers in the tally. */
export const lostToKill = 'answered 502 or 503 while a replica was killed'

/** Every n-th mutation is repeated after its answer. */
const repeatEvery = 5

/**
 * Milliseconds before each request. Without this pause callers would use the whole CPU and processes could not start.
 */
const requestDelay = 200

/** Every request must have an answer within this many milliseconds. */
const timeout = 90_000

/**
 * A careful caller that uses one address, with the balancer and its replicas behind it. All attempts of a mutation
 * share one Idempotency-Key. Any status other than 200 is a fault, except for requests in progress while a replica was
 * killed: the client repeats those.
 */
export function createBalancedClient(url: string, tally: Tally, outages: Outages): LoadClient {
  let mutations = 0

  async function retryUntilAnswered(
    { kind, path, body }: Parameters<LoadClient['send']>[0],
    key: string,
  ): Promise<{ answer: Answer; attempts: number }> {
    const startedAt = performance.now()
    for (let attempts = 1; ; attempts++) {
      const overlapsOutage = outages.watch()
      const answer = await askUntilDone(() =>
        ask(`${url}${path}`, {
          ...(body !== undefined && {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'idempotency-key': key },
            body: JSON.stringify(body),
          }),
          signal: AbortSignal.timeout(timeout),
        }),
      )
      const isLost = statusesOfDeadReplica.includes(answer.status) && overlapsOutage()
      if (!isLost) {
        if (attempts === 1) tally.answered(kind, answer.status, performance.now() - startedAt)
        else tally.answeredLate(performance.now() - startedAt)
        if (answer.status !== 200) tally.fault(`${kind}: ${answer.status} ${answer.text}`)
        return { answer, attempts }
      }
      tally.count(lostToKill)
      if (performance.now() - startedAt > timeout) throw new Error(`${kind}: no replica answered`)
      await delay(50)
    }
  }

  return {
    async send(request) {
      await delay(requestDelay)
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
