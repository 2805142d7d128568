import { setTimeout as delay } from 'node:timers/promises'
import { fromWireUserOperation, getUserOperationHash } from '@lanyard/accounts'
import type { Address, Hash } from 'viem'
import { expect } from 'vitest'
import { type Answer, ask, askUntilDone } from '../http-service.ts'
import type { ServiceProcess } from '../service-process.ts'
import type { Journey } from './die-and-retry.ts'

export interface KillJourney extends Journey {
  readonly chainId: number
  /** Creates the account and returns its address. It can be called again. */
  readonly prepare: (url: string) => Promise<Address>
  /** Mines blocks until the operation's block is final. */
  readonly finalize: () => Promise<unknown>
}

/** A client that remembers its responses and does not know about crashes. */
interface JourneyRun {
  /** Runs until the operation is final. It repeats each unanswered request with the same key and the same signature. */
  run(url: string): Promise<void>
  /** Waits until an accepted operation is final, without sending anything again. */
  watch(url: string): Promise<void>
  readonly account: Address | undefined
  readonly userOpHash: Hash | undefined
}

/** Milliseconds. A relayer's lease and an Idempotency-Key's claim both lapse earlier. */
const maxWait = 60_000

let journeys = 0

export function startJourney(journey: KillJourney): JourneyRun {
  const key = String(journeys++)
  let account: Address | undefined
  let built: Answer | undefined
  let userOpHash: Hash | undefined
  let submission: unknown

  const readStatus = async (url: string) =>
    (await ask(`${url}/smart-account/transaction/status?userOpHash=${userOpHash}`)).body

  async function untilFinal(url: string): Promise<void> {
    const deadline = Date.now() + maxWait
    for (let finalized = false; ; await delay(50)) {
      const status = await readStatus(url)
      if (status.final) return expect(status).toMatchObject({ state: 'included', success: true })
      if (Date.now() > deadline) throw new Error(`The status is still ${JSON.stringify(status)}`)
      if (status.state !== 'included' || finalized) continue
      await journey.finalize()
      finalized = true
    }
  }
  return {
    async run(url) {
      account ??= await journey.prepare(url)
      if (!built) {
        const answer = await askUntilDone(() => journey.build(url, `build-${key}`))
        expect(answer, answer.text).toMatchObject({ status: 200 })
        userOpHash = hashOf(answer.body.userOp, journey.chainId)
        built = answer
      }
      submission ??= await journey.sign(built.body)
      const submitted = await askUntilDone(() => journey.submit(url, submission, `submit-${key}`))
      expect(submitted, submitted.text).toMatchObject({ status: 200, body: { userOpHash, success: true } })
      await untilFinal(url)
    },
    async watch(url) {
      // Before the submission, the service does not know the operation.
      if (submission && (await readStatus(url)).code !== 'UNKNOWN_OPERATION') await untilFinal(url)
    },
    get account() {
      return account
    },
    get userOpHash() {
      return userOpHash
    },
  }
}

/** Runs journeys until a SIGKILL ends the process, usually in the middle of the last journey. */
export async function runUntilKilled(
  { url, ended }: ServiceProcess,
  journeys: () => KillJourney,
): Promise<readonly JourneyRun[]> {
  const runs: JourneyRun[] = []
  for (;;) {
    const journey = startJourney(journeys())
    runs.push(journey)
    try {
      await journey.run(url)
    } catch (error) {
      // fetch throws a TypeError when the connection breaks.
      if (!(error instanceof TypeError)) throw error
      expect(await Promise.race([ended, delay(60_000, 'alive', { ref: false })])).toBe('SIGKILL')
      return runs
    }
  }
}

function hashOf(userOp: unknown, chainId: number): Hash {
  // The value is a response of the service.
  const read = fromWireUserOperation(userOp as Parameters<typeof fromWireUserOperation>[0])
  if (!read.ok) throw new Error(read.message)
  return getUserOperationHash(read.operation, { chainId })
}
