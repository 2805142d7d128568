import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { longHex, rememberHash } from '@lanyard/accounts/long-hashes'
import { LanyardError } from '@lanyard/contracts'
import type { Hex } from 'viem'
import { currentMeter } from '../log/current-request.ts'
import type { Tasks } from './tasks.ts'

export interface TaskRequest {
  readonly id: number
  readonly name: keyof Tasks
  readonly argument: unknown
}

export type TaskAnswer = { readonly id: number; readonly milliseconds: number } & (
  | { readonly value: unknown }
  | { readonly error: unknown }
)

interface Pending {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  readonly charge: (milliseconds: number) => void
}

let worker: Worker | undefined
let lastId = 0
const pending = new Map<number, Pending>()

/**
 * Computes in another thread what would block the event loop for milliseconds. Its time is charged to the
 * current request.
 */
export async function offLoop<Name extends keyof Tasks>(
  name: Name,
  argument: Parameters<Tasks[Name]>[0],
): Promise<Awaited<ReturnType<Tasks[Name]>>> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const meter = currentMeter()
  const id = ++lastId
  pending.set(id, { resolve, reject, charge: (milliseconds) => meter?.addTime(milliseconds) })
  worker ??= startWorker()
  worker.ref()
  worker.postMessage({ id, name, argument } satisfies TaskRequest)
  return promise as Promise<Awaited<ReturnType<Tasks[Name]>>> // the thread runs the task of this name
}

/** Started with its first task; a process without large requests has no second thread. */
function startWorker(): Worker {
  const started = new Worker(new URL(`./off-loop-worker${extname(import.meta.url)}`, import.meta.url))
  started.on('message', (answer: TaskAnswer) => {
    const waiting = pending.get(answer.id)
    pending.delete(answer.id)
    if (pending.size === 0) started.unref() // an idle thread does not keep the process alive
    waiting?.charge(answer.milliseconds)
    if ('error' in answer) waiting?.reject(answer.error)
    else waiting?.resolve(answer.value)
  })
  started.on('error', (error) => {
    if (worker === started) worker = undefined
    for (const { reject } of pending.values()) reject(new LanyardError('INTERNAL', { cause: error }))
    pending.clear()
  })
  return started
}

/** Hashes long bytes in another thread, so that the hashes which contain them are quick. */
export async function hashLongBytes(bytes: Hex): Promise<void> {
  if (bytes.length >= longHex) rememberHash(bytes, await offLoop('keccak256', bytes))
}
