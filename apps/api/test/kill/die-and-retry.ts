import { setTimeout as delay } from 'node:timers/promises'
import { fromWireUserOperation, getUserOperationHash } from '@lanyard/accounts'
import { checkpoints as bundlerCheckpoints } from '@lanyard/bundler'
import type { Hash } from 'viem'
import { expect } from 'vitest'
import { checkpoints } from '../../src/domain/operations/dependencies.ts'
import { checkpoints as idempotencyCheckpoints } from '../../src/pipeline/idempotency/checkpoints.ts'
import { type Answer, askUntilDone } from '../http-service.ts'
import { startServiceProcess } from '../service-process.ts'
import { type ConfiguredService, startConfigured } from '../start-configured.ts'

/** A user's operation in two requests: one builds it, one submits its signature. */
export interface Journey {
  /** Requests the build. `key` is its Idempotency-Key, if it has one. */
  readonly build: (url: string, key?: string) => Promise<Answer>
  /** Signs the build's response once: the same signature is sent again after the crash. */
  readonly sign: (built: Answer['body']) => Promise<unknown>
  readonly submit: (url: string, submission: unknown, key?: string) => Promise<Answer>
}

/** A crash: the request that carries the Idempotency-Key, and the checkpoint at which the process dies. */
export interface Death {
  readonly request: 'build' | 'submit'
  readonly step: string
}

const buildSteps = [...idempotencyCheckpoints, ...checkpoints.filter((name) => name.startsWith('build:'))]
const submitSteps = [
  ...idempotencyCheckpoints,
  ...checkpoints.filter((name) => !name.startsWith('build:')),
  // The reconcile suite covers this step: it needs a transaction that a node forgot.
  ...bundlerCheckpoints.filter((name) => name !== 'relayer:resent'),
]

/** Every checkpoint of both requests. */
export const deaths: readonly Death[] = [
  ...buildSteps.map((step) => ({ request: 'build', step }) as const),
  ...submitSteps.map((step) => ({ request: 'submit', step }) as const),
]

/** At these steps only the claim of the Idempotency-Key is written. It lapses, and the caller retries. */
const nothingWritten = ['idempotency:claimed', 'build:estimated', 'sign:checked']

/** At these steps the caller may have the response already: the worker or the watcher can be first. */
const mayBeAnswered = (step: string) => step === 'include:recorded' || step.startsWith('final:')

/** Maximum wait in milliseconds for the crash after the last response: a final block takes a few seconds. */
const maxWait = 30_000

interface Survived {
  /** The service that starts after the crash. */
  readonly service: ConfiguredService
  readonly userOpHash: Hash
  /** The build's response. */
  readonly built: Answer['body']
}

/**
 * Runs the journey against a process that dies by SIGKILL at a step, then against a new service on the same database. A
 * signed operation is included without another request. A caller without a response gets it by repeating the request.
 *
 * @param prepare - creates what the journey needs, in the process that will die, with requests that do not reach the
 * step
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
  const first = await runJourney(journey, dying.url, request, key)
  const ended = await Promise.race([dying.ended, delay(maxWait, 'alive', { ref: false })])
  expect(ended, `the answers were ${first.built?.text}, ${first.submitted?.text}`).toBe('SIGKILL')
  const response = request === 'build' ? first.built : first.submitted
  if (!mayBeAnswered(step)) expect(response).toBeUndefined()

  const service = await startConfigured(env)
  try {
    const built = first.built ?? (await expectReplayed(() => journey.build(service.url, key), step))
    const { userOp } = built.body
    const operation = fromWireUserOperation(userOp)
    if (!operation.ok) throw new TypeError(operation.message)
    const userOpHash = getUserOperationHash(operation.operation, { chainId: 31337 })
    const submission = first.submission ?? (await journey.sign(built.body))
    if (request === 'submit' && !nothingWritten.includes(step)) {
      // The operation is included without another request.
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

interface Progress {
  built?: Answer
  submission?: unknown
  submitted?: Answer
}

/** Runs the journey until it ends or the process dies. */
async function runJourney(
  journey: Journey,
  url: string,
  keyed: Death['request'],
  key: string,
): Promise<Progress> {
  const progress: Progress = {}
  try {
    progress.built = await journey.build(url, keyed === 'build' ? key : undefined)
    expect(progress.built).toMatchObject({ status: 200 })
    progress.submission = await journey.sign(progress.built.body)
    progress.submitted = await journey.submit(url, progress.submission, keyed === 'submit' ? key : undefined)
  } catch (error) {
    // fetch throws a TypeError when the connection breaks.
    if (!(error instanceof TypeError)) throw error
  }
  return progress
}

/** Sends the same request with the same key twice and expects the same response. */
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
  const { state } = (await response.json()) as { state: string } // the body is the service's own response
  return state
}
