import { setTimeout as delay } from 'node:timers/promises'
import { fromWireUserOperation, getUserOperationHash } from '@lanyard/accounts'
import type { Address, Hash } from 'viem'
import { expect } from 'vitest'
import { type Answer, ask, askUntilDone } from '../http-service.ts'
import type { ServiceProcess } from '../service-process.ts'
import type { Story } from './die-and-retry.ts'

export interface StoryToTell extends Story {
  readonly chainId: number
  /** Makes the account, which it answers; may be repeated. */
  readonly prepare: (url: string) => Promise<Address>
  /** Blocks on top of what is included. */
  readonly finalize: () => Promise<unknown>
}

/** A client that knows what it was answered and nothing of deaths. */
interface ToldStory {
  /** Until the operation is final; what was not answered is asked for again, with the same key and the same signature. */
  tell(url: string): Promise<void>
  /** Waits for the operation to be final without asking for it, where its signature was taken. */
  watch(url: string): Promise<void>
  readonly account: Address | undefined
  readonly userOpHash: Hash | undefined
}

/** Milliseconds: a relayer's lease and an Idempotency-Key's claim lapse before. */
const maxWait = 60_000

let stories = 0

export function toldStory(story: StoryToTell): ToldStory {
  const key = String(stories++)
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
      if (Date.now() > deadline) throw new Error(`It stays ${JSON.stringify(status)}`)
      if (status.state !== 'included' || finalized) continue
      await story.finalize()
      finalized = true
    }
  }
  return {
    async tell(url) {
      account ??= await story.prepare(url)
      if (!built) {
        const answer = await askUntilDone(() => story.build(url, `build-${key}`))
        expect(answer, answer.text).toMatchObject({ status: 200 })
        userOpHash = hashOf(answer.body.userOp, story.chainId)
        built = answer
      }
      submission ??= await story.sign(built.body)
      const submitted = await askUntilDone(() => story.submit(url, submission, `submit-${key}`))
      expect(submitted, submitted.text).toMatchObject({ status: 200, body: { userOpHash, success: true } })
      await untilFinal(url)
    },
    async watch(url) {
      // Before that the service knows of no operation.
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

/** Tells stories until the process dies by SIGKILL, which may be anywhere in the last one. */
export async function tellUntilDead(
  { url, ended }: ServiceProcess,
  stories: () => StoryToTell,
): Promise<readonly ToldStory[]> {
  const told: ToldStory[] = []
  for (;;) {
    const story = toldStory(stories())
    told.push(story)
    try {
      await story.tell(url)
    } catch (error) {
      // What fetch throws when its peer is gone.
      if (!(error instanceof TypeError)) throw error
      expect(await Promise.race([ended, delay(5_000, 'alive', { ref: false })])).toBe('SIGKILL')
      return told
    }
  }
}

function hashOf(userOp: unknown, chainId: number): Hash {
  const read = fromWireUserOperation(userOp as Parameters<typeof fromWireUserOperation>[0]) // the service's own answer
  if (!read.ok) throw new Error(read.message)
  return getUserOperationHash(read.operation, { chainId })
}
