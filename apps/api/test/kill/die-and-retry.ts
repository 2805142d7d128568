import { setTimeout as delay } from 'node:timers/promises'
import { fromWireUserOperation, getUserOperationHash } from '@lanyard/accounts'
import { checkpoints as bundlerCheckpoints } from '@lanyard/bundler'
import type { Hash } from 'viem'
import { expect } from 'vitest'
import { checkpoints } from '../../src/domain/operations/checkpoints.ts'
import { checkpoints as idempotencyCheckpoints } from '../../src/pipeline/idempotency/checkpoints.ts'
import { type Answer, askUntilDone } from '../http-service.ts'
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'

/** Something that a user asks for in two requests: one to build it, one with the signature. */
export interface Journey {
  /** Asks for the build. The key is its Idempotency-Key, where there is one. */
  readonly build: (url: string, key?: string) => Promise<Answer>
  /** Signs once what build answered: the same signature is sent again after the death. */
  readonly sign: (built: Answer['body']) => Promise<unknown>
  readonly submit: (url: string, submission: unknown, key?: string) => Promise<Answer>
}

/** Where a process dies: at a step that the code names, in the request that has an Idempotency-Key. */
export interface Death {
  readonly request: 'build' | 'submit'
  readonly step: string
}

const buildSteps = [...idempotencyCheckpoints, ...checkpoints.filter((name) => name.startsWith('build:'))]
const submitSteps = [
  ...idempotencyCheckpoints,
  ...checkpoints.filter((name) => !name.startsWith('build:')),
  // It needs a transaction that a node forgot; the reconcile suite has it.
  ...bundlerCheckpoints.filter((name) => name !== 'relayer:resent'),
]

/** Every step of both requests. */
export const deaths: readonly Death[] = [
  ...buildSteps.map((step) => ({ request: 'build', step }) as const),
  ...submitSteps.map((step) => ({ request: 'submit', step }) as const),
]

/** Nothing is written but the claim of the Idempotency-Key: it lapses, and whoever asked asks again. */
const nothingWritten = ['idempotency:claimed', 'build:estimated', 'sign:checked']

/** The caller may have heard before the process died: the worker or the watcher was first. */
const mayBeAnswered = (step: string) => step === 'include:recorded' || step.startsWith('final:')

/** Milliseconds until the process has died after its last answer: a final block takes a few seconds. */
const maxWait = 30_000

interface Survived {
  /** The process after the dead one. */
  readonly service: ServiceProcess
  readonly userOpHash: Hash
  /** What build answered. */
  readonly built: Answer['body']
}

/**
 * Runs the journey to a process that dies by SIGKILL at a step, then to a new one on the same database: what was signed is
 * included without being asked for, and who had no answer gets it for the same request.
 *
 * @param prepare - what must be there before, done in the process that dies, by requests that do not reach the step
 */
export async function dieAndRetry(
  env: Record<string, string>,
  { request, step }: Death,
  journey: Journey,
  prepare: (url: string) => Promise<void> = async () => {},
): Promise<Survived> {
  const key = `${request}-${step}`
  await using dying = await startServiceProcess({ ...env, CRASH_AT: step })
  await prepare(dying.url)
  const first = await takeJourney(journey, dying.url, request, key)
  const ended = await Promise.race([dying.ended, delay(maxWait, 'alive', { ref: false })])
  expect(ended, `the answers were ${first.built?.text}, ${first.submitted?.text}`).toBe('SIGKILL')
  const heard = request === 'build' ? first.built : first.submitted
  if (!mayBeAnswered(step)) expect(heard).toBeUndefined()

  const service = await startServiceProcess(env)
  try {
    const built = first.built ?? (await expectReplayed(() => journey.build(service.url, key), step))
    const { userOp } = built.body
    const operation = fromWireUserOperation(userOp)
    if (!operation.ok) throw new TypeError(operation.message)
    const userOpHash = getUserOperationHash(operation.operation, { chainId: 31337 })
    const submission = first.submission ?? (await journey.sign(built.body))
    if (request === 'submit' && !nothingWritten.includes(step)) {
      // Nobody asks for it again.
      await expect.poll(() => readState(service.url, userOpHash), { interval: 100 }).toBe('included')
    }
    const submitted =
      request === 'submit'
        ? await expectReplayed(() => journey.submit(service.url, submission, key), step)
        : await journey.submit(service.url, submission)
    expect(submitted.body).toMatchObject({ userOpHash, success: true })
    return { service, userOpHash, built: built.body }
  } catch (error) {
    await service.stop()
    throw error
  }
}

interface Taken {
  built?: Answer
  submission?: unknown
  submitted?: Answer
}

/** As far as the process lives. */
async function takeJourney(
  journey: Journey,
  url: string,
  keyed: Death['request'],
  key: string,
): Promise<Taken> {
  const taken: Taken = {}
  try {
    taken.built = await journey.build(url, keyed === 'build' ? key : undefined)
    expect(taken.built).toMatchObject({ status: 200 })
    taken.submission = await journey.sign(taken.built.body)
    taken.submitted = await journey.submit(url, taken.submission, keyed === 'submit' ? key : undefined)
  } catch (error) {
    // What fetch throws when its peer is gone.
    if (!(error instanceof TypeError)) throw error
  }
  return taken
}

/** The same request with the same key, twice: one answer. */
async function expectReplayed(ask: () => Promise<Answer>, step: string): Promise<Answer> {
  const retried = await askUntilDone(ask)
  expect(retried).toMatchObject({ status: 200 })
  const again = await ask()
  expect(again.text).toBe(retried.text)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  if (step === 'idempotency:answered' || step === 'build:written') {
    expect(retried.headers.get('idempotency-replayed')).toBe('true')
  }
  return retried
}

async function readState(url: string, userOpHash: Hash): Promise<string> {
  const response = await fetch(`${url}/smart-account/transaction/status?userOpHash=${userOpHash}`)
  const { state } = (await response.json()) as { state: string } // the service's own answer
  return state
}
