import { setTimeout as delay } from 'node:timers/promises'
import { claimPass, type Database, moveClaim } from '@lanyard/database'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { createFailureLog } from '../../platform/log/failure-log.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'

/** Milliseconds from the start of one check to the next. */
export interface PassPauses {
  /** While there is unfinished work. */
  readonly busy: number
  readonly idle: number
}

export const usualPauses: PassPauses = { busy: 1_000, idle: 3_000 }

/** Milliseconds between renewals of the claim while a pass runs, and for which each of them lasts. */
const renewEvery = 600
const renewedFor = 1_800

/** Milliseconds after which a pass is no longer waited for and the next one may begin. */
const passTimeout = 60_000

/** Milliseconds that the start waits for the first pass: a network that does not answer must not delay it. */
const firstPassTimeout = 2_000

/** Milliseconds that running passes get when the service closes. */
const closeTimeout = 1_000

/** Background work that is repeated. */
export interface Pass {
  /** Unique together with the chain id. */
  readonly name: string
  /** Absent when it does not concern a single network. */
  readonly network?: number | undefined
  /** Whether there is unfinished work; reads only the database. */
  readonly hasWork: () => Promise<boolean>
  /**
   * May be repeated, and may run concurrently with itself. Errors are logged, and the next pass continues.
   */
  readonly run: () => Promise<unknown>
}

export interface Passes {
  /** Repeats a pass until the service closes. Resolves after the first pass, or after a short time-out. */
  repeat(pass: Pass): Promise<void>
  /** Aborted when no further pass begins. */
  readonly closing: AbortSignal
  /** Starts no further passes, and waits a moment for running ones. */
  close(): Promise<void>
}

export interface PassDependencies {
  readonly database: Kysely<Database>
  readonly now: () => Date
  readonly log: Logger
  readonly metrics: Pick<Metrics, 'announce' | 'countPass'>
  readonly pauses?: PassPauses | undefined
}

/**
 * Repeats background work. A check reads in the database whether there is any, and writes nothing.
 * Only a pass takes a turn, in a row, so that any number of replicas share the work. If one of them dies,
 * another has the next turn. Each network has its own passes, so that one that does not answer does not slow
 * the others.
 */
export function createPasses({
  database,
  now,
  log,
  metrics,
  pauses = usualPauses,
}: PassDependencies): Passes {
  // Slightly less than the pause, so that the process that had the last turn may get the next one.
  const turn = 0.9 * pauses.busy
  const failures = createFailureLog(log)
  const closing = new AbortController()
  const loops = new Set<Promise<void>>()

  /** @returns whether there was unfinished work */
  async function look({ name, network, hasWork, run }: Pass): Promise<boolean> {
    const pass = nameOf({ name, network })
    try {
      if (!(await hasWork())) return false
      const began = now()
      const next = new Date(began.getTime() + turn)
      if (!(await claimPass(database, pass, { now: began, next }))) return true
      await claimed(pass, next, run)
      metrics.countPass({ pass, outcome: 'done' })
      failures.clear(pass)
    } catch (error) {
      metrics.countPass({ pass, outcome: 'failed' })
      failures.warn(pass, error, { network, pass: name }, 'a pass failed; the next one continues')
    }
    return true
  }

  /**
   * Runs a pass, and renews its claim meanwhile, so that no other process begins the same pass. If this process
   * dies, another one takes over as soon as the last renewal ends. A pass that takes too long loses the claim.
   */
  async function claimed(pass: string, until: Date, run: Pass['run']): Promise<void> {
    const began = performance.now()
    let ends: Date | undefined = until
    let moving = Promise.resolve()
    const move = (next: Date) => {
      moving = moving.then(async () => {
        if (!ends) return
        const isMine = await moveClaim(database, pass, { ends, next }).catch(() => false)
        ends = isMine ? next : undefined
      })
      return moving
    }
    const timer = setInterval(() => {
      if (performance.now() - began < passTimeout) void move(new Date(now().getTime() + renewedFor))
      else ends = undefined
    }, renewEvery)
    try {
      await run()
    } finally {
      clearInterval(timer)
      await moving
      if (ends && ends > until) await move(new Date(Math.max(until.getTime(), now().getTime())))
    }
  }

  async function loop(pass: Pass, first: Promise<boolean>): Promise<void> {
    for (let looking = first; ; looking = look(pass)) {
      const began = performance.now()
      const stop = new AbortController()
      const late = delay(passTimeout, true, { signal: stop.signal }).catch(() => true)
      const isBusy = await Promise.race([looking, late])
      stop.abort()
      const pause = (isBusy ? pauses.busy : pauses.idle) - (performance.now() - began)
      await delay(Math.max(0, pause), undefined, { signal: closing.signal }).catch(() => {})
      if (closing.signal.aborted) return
    }
  }

  return {
    closing: closing.signal,
    async repeat(pass) {
      metrics.announce('pass', { pass: nameOf(pass) })
      // Work that an earlier process left does not wait for its turn.
      const first = look(pass)
      const looped = loop(pass, first).finally(() => loops.delete(looped))
      loops.add(looped)
      await Promise.race([first, delay(firstPassTimeout, undefined, { ref: false })])
    },
    async close() {
      closing.abort()
      await Promise.race([Promise.all(loops), delay(closeTimeout, undefined, { ref: false })])
    },
  }
}

/** The name of a pass in the database and in the metrics. */
const nameOf = ({ name, network }: { readonly name: string; readonly network?: number | undefined }) =>
  network === undefined ? name : `${name}-${network}`
