import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, ask, askUntilDone } from '../http-service.ts'
import type { LoadClient } from '../load/client.ts'
import type { Tally } from '../load/tally.ts'
import type { Outages } from './outages.ts'

/** What a caller sees of a replica that died while it had the request: the balancer's word, or no answer at all. */
const ofTheDead = [502, 503]

/** What the tally calls them. */
export const lostToKill = 'answered 502 or 503 while a replica was killed'

/** Every so many mutations are asked for again after they were answered. */
const repeatEvery = 5

/**
 * Milliseconds before each request: this is about processes that come and go, and they could not start if callers took all
 * of the machine.
 */
const thought = 200

/** Milliseconds in which every request must have been answered. */
const bound = 90_000

/**
 * A careful caller of one address, with balancer and replicas behind it. A mutation has one Idempotency-Key for all its
 * attempts. Anything but 200 is a fault, except for requests that were under way while a replica was killed: those are
 * sent again.
 */
export function createBalancedClient(url: string, tally: Tally, outages: Outages): LoadClient {
  let mutations = 0

  async function untilAnswered(
    { kind, path, body }: Parameters<LoadClient['send']>[0],
    key: string,
  ): Promise<{ answer: Answer; attempts: number }> {
    const began = performance.now()
    for (let attempts = 1; ; attempts++) {
      const wasOut = outages.watch()
      const answer = await askUntilDone(() =>
        ask(`${url}${path}`, {
          ...(body !== undefined && {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'idempotency-key': key },
            body: JSON.stringify(body),
          }),
          signal: AbortSignal.timeout(bound),
        }),
      )
      const isLost = ofTheDead.includes(answer.status) && wasOut()
      if (!isLost) {
        if (attempts === 1) tally.answered(kind, answer.status, performance.now() - began)
        else tally.answeredLate(performance.now() - began)
        if (answer.status !== 200) tally.fault(`${kind}: ${answer.status} ${answer.text}`)
        return { answer, attempts }
      }
      tally.count(lostToKill)
      if (performance.now() - began > bound) throw new Error(`${kind}: no replica answered`)
      await delay(50)
    }
  }

  return {
    async send(request) {
      await delay(thought)
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
