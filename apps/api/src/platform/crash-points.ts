import { subscribe } from 'node:diagnostics_channel'
import type { AroundStatement } from '@lanyard/database'
import type { Env } from './environment/env.ts'

/**
 * Points at which a test may end the process besides its named steps: before and after every statement that
 * writes, and every HTTP request to a node or a bundler. They are counted once the service is ready, so none
 * can be forgotten.
 */
export interface CrashPoints {
  /** Runs the database's statements. Absent when nothing is counted. */
  readonly aroundStatement?: AroundStatement
  /** Starts counting, once the service is ready. */
  begin(): void
}

type Kind = 'write' | 'call'

const counted = /^(?:(?:write|call):\d+:(?:before|after)|count)$/

/**
 * Statements that do not write. Any other statement counts as a write: one too many only costs a
 * test run, but one too few leaves a crash point untested.
 */
const reading = /^\s*(?:select|begin|start|rollback|savepoint|release|set|show)\b/i

/**
 * CRASH_AT `write:7:before` ends the process before the seventh write is sent, `call:7:after` after the
 * complete response to the seventh request; `count` prints each of them as it occurs.
 */
export function createCrashPoints({ CRASH_AT }: Pick<Env, 'CRASH_AT'>): CrashPoints {
  if (CRASH_AT === undefined || !counted.test(CRASH_AT)) return { begin() {} }
  let begun = false
  const counts: Record<Kind, number> = { write: 0, call: 0 }

  /** Runs before the next one of its kind and returns a function to call after it. */
  function enter(kind: Kind, what: string): () => void {
    const point = `${kind}:${++counts[kind]}`
    if (CRASH_AT === 'count') process.stdout.write(`crash point ${point} ${what.replaceAll(/\s+/g, ' ')}\n`)
    if (CRASH_AT === `${point}:before`) dieAtOnce()
    return () => {
      if (CRASH_AT === `${point}:after`) dieAtOnce()
    }
  }

  const left = new WeakMap<object, () => void>()
  // Node's diagnostics channels for every fetch: when it is created, and when its response is complete but
  // not read yet.
  subscribe('undici:request:create', (message) => {
    const { request } = message as Fetched // as documented by undici
    if (begun) left.set(request, enter('call', request.method))
  })
  subscribe('undici:request:trailers', (message) => left.get((message as Fetched).request)?.())

  return {
    begin() {
      begun = true
    },
    async aroundStatement(sql, run) {
      if (!begun || reading.test(sql)) return run()
      const leave = enter('write', sql)
      const result = await run()
      leave()
      return result
    },
  }
}

interface Fetched {
  readonly request: { readonly method: string }
}

/** Ends the process like `kill -9`. Nothing else may run until the signal has arrived. */
export function dieAtOnce(): never {
  process.kill(process.pid, 'SIGKILL')
  for (;;);
}
