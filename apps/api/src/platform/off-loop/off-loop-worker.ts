import { parentPort } from 'node:worker_threads'
import type { TaskAnswer, TaskRequest } from './off-loop.ts'
import { tasks } from './tasks.ts'

/** One task after the other: the thread exists to keep the event loop free, not to compute in parallel. */
let last = Promise.resolve()

parentPort?.on('message', (request: TaskRequest) => {
  last = last.then(() => answer(request))
})

async function answer({ id, name, argument }: TaskRequest): Promise<void> {
  const began = performance.now()
  const spent = () => performance.now() - began
  let answered: TaskAnswer
  try {
    const run = tasks[name] as (argument: unknown) => Promise<unknown> // the caller's type pairs them
    answered = { id, value: await run(argument), milliseconds: spent() }
  } catch (error) {
    answered = { id, error, milliseconds: spent() }
  }
  parentPort?.postMessage(answered)
}
