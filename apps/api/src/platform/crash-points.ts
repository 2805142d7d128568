import { subscribe } from 'node:diagnostics_channel'
import type { AroundStatement } from '@lanyard/database'
import type { Env } from './environment/env.ts'

/**
 * Where a test may end the process besides its named steps: before and after every statement that writes, and every HTTP
 * request to a node or a bundler. They are counted from when the service is ready, so none can be forgotten.
 */
export interface CrashPoints {
  /** Runs the database's statements. Absent: nobody counts. */
  readonly aroundStatement?: AroundStatement
  /** Counting begins: the service is ready. */
  begin(): void
}

type Kind = 'write' | 'call'

const counted = /^(?:(?:write|call):\d+:(?:before|after)|count)$/

/** What writes nothing by itself. Anything else is taken for a write: one too many costs a test, one too few a loss. */
const reading = /^\s*(?:select|begin|start|rollback|savepoint|release|set|show)\b/i

/**
 * CRASH_AT `write:7:before` ends the process before the seventh write is sent, `call:7:after` after the seventh request
 * was answered in full; `count` prints each of them as it comes.
 */
export function createCrashPoints({ CRASH_AT }: Pick<Env, 'CRASH_AT'>): CrashPoints {
  if (CRASH_AT === undefined || !counted.test(CRASH_AT)) return { begin() {} }
  let begun = false
  const counts: Record<Kind, number> = { write: 0, call: 0 }

  /** Before the next one of its kind; what it returns is called after it. */
  function enter(kind: Kind, what: string): () => void {
    const point = `${kind}:${++counts[kind]}`
    if (CRASH_AT === 'count') process.stdout.write(`crash point ${point} ${what.replaceAll(/\s+/g, ' ')}\n`)
    if (CRASH_AT === `${point}:before`) dieAtOnce()
    return () => {
      if (CRASH_AT === `${point}:after`) dieAtOnce()
    }
  }

  const left = new WeakMap<object, () => void>()
  // Node's diagnostics channels for every fetch: as it is made, and when its answer has come in full, before anyone has read it.
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

/** As `kill -9` does. Nothing may be done until the signal has arrived. */
export function dieAtOnce(): never {
  process.kill(process.pid, 'SIGKILL')
  for (;;);
}
