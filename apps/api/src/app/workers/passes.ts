import { setTimeout as delay } from 'node:timers/promises'
import { claimPass, type Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Metrics } from '../../platform/metrics/metrics.ts'

/** Milliseconds from the beginning of a look to the next one: soon while something is unfinished, else now and then. */
const busyPause = 1_000
const idlePause = 3_000

/** Milliseconds of a turn, a little less than the pause: whoever had the last one may have the next. */
const turn = 900

/** Milliseconds after which a pass is not waited for: the next one may begin. */
const passTimeout = 60_000

/** Milliseconds that the start waits for the first pass: a network that does not answer must not hold it up. */
const firstPassBound = 2_000

/** Milliseconds that passes under way get when the service closes. */
const closeBound = 1_000

/** Background work that is repeated. */
export interface Pass {
  /** With the chain id, a name of its own. */
  readonly name: string
  /** Absent: it is not about one network. */
  readonly network?: number | undefined
  /** Whether something is unfinished; asks the database only. */
  readonly hasWork: () => Promise<boolean>
  /** Can be repeated, and run at once with another. What it throws is logged, and the next pass goes on. */
  readonly run: () => Promise<unknown>
}

export interface Passes {
  /** Repeats a pass for as long as the service runs. Resolves after the first one, or a moment later. */
  repeat(pass: Pass): Promise<void>
  /** Aborted when no pass begins any more. */
  readonly closing: AbortSignal
  /** Begins no pass any more, and waits a moment for those under way. */
  close(): Promise<void>
}

export interface PassDependencies {
  readonly database: Kysely<Database>
  readonly now: () => Date
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'announcePass' | 'countPass'>
}

/**
 * Repeats background work. Whether there is any stands in the database, so a look reads it and writes nothing; only a
 * pass takes a turn, in a row, so that any number of replicas share the work, and when one dies another has the next
 * turn. Each network has passes of its own, so that one that does not answer slows no other.
 */
export function createPasses({ database, now, log, metrics }: PassDependencies): Passes {
  const closing = new AbortController()
  const loops = new Set<Promise<void>>()

  /** @returns whether something was unfinished */
  async function look({ name, network, hasWork, run }: Pass): Promise<boolean> {
    const pass = nameOf({ name, network })
    try {
      if (!(await hasWork())) return false
      const began = now()
      const next = new Date(began.getTime() + turn)
      if (!(await claimPass(database, pass, { now: began, next }))) return true
      await run()
      metrics.countPass({ pass, outcome: 'done' })
    } catch (error) {
      metrics.countPass({ pass, outcome: 'failed' })
      log.warn({ err: error, network, pass: name }, 'a pass failed; the next one goes on')
    }
    return true
  }

  async function loop(pass: Pass, first: Promise<boolean>): Promise<void> {
    for (let looking = first; ; looking = look(pass)) {
      const began = performance.now()
      const stop = new AbortController()
      const late = delay(passTimeout, true, { signal: stop.signal }).catch(() => true)
      const isBusy = await Promise.race([looking, late])
      stop.abort()
      const pause = (isBusy ? busyPause : idlePause) - (performance.now() - began)
      await delay(Math.max(0, pause), undefined, { signal: closing.signal }).catch(() => {})
      if (closing.signal.aborted) return
    }
  }

  return {
    closing: closing.signal,
    async repeat(pass) {
      metrics.announcePass(nameOf(pass))
      // What an earlier process left behind does not wait for its turn.
      const first = look(pass)
      const looped = loop(pass, first).finally(() => loops.delete(looped))
      loops.add(looped)
      await Promise.race([first, delay(firstPassBound, undefined, { ref: false })])
    },
    async close() {
      closing.abort()
      await Promise.race([Promise.all(loops), delay(closeBound, undefined, { ref: false })])
    },
  }
}

/** Of all passes, in the database and in the metrics. */
const nameOf = ({ name, network }: { readonly name: string; readonly network?: number | undefined }) =>
  network === undefined ? name : `${name}-${network}`
