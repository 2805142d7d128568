import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '@lanyard/database'
import type { Kysely } from 'kysely'
import { type KeyedCall, readClaim } from './claims.ts'

/** Milliseconds between two looks at a call that another request runs: at first, at most, and how they grow. */
const firstPause = 50
const longestPause = 1_000
const growth = 1.5

interface Waiting {
  readonly database: Kysely<Database>
  readonly call: KeyedCall
  readonly now: () => Date
}

/** A claim that ended; without an answer, its process died or lost it. */
export interface EndedClaim {
  readonly claim: string
  readonly answer?: string
}

/** The waits of this process. However many requests wait for a call, one of them asks the database. */
const waits = new WeakMap<Kysely<Database>, Map<string, Promise<EndedClaim>>>()

function waitsOn(database: Kysely<Database>): Map<string, Promise<EndedClaim>> {
  const known = waits.get(database) ?? new Map()
  waits.set(database, known)
  return known
}

const nameOf = ({ caller, endpoint, key, requestHash }: KeyedCall) =>
  JSON.stringify([caller, endpoint, key, requestHash])

/** What another request of this process waits for already, once it has ended; undefined where none does. */
export const awaitedBefore = async ({ database, call }: Waiting): Promise<EndedClaim | undefined> =>
  waitsOn(database).get(nameOf(call))

/**
 * Waits until a claim of another request has ended.
 *
 * @throws IDEMPOTENCY_MISMATCH where it is taken for another input meanwhile
 */
export function awaitClaim(waiting: Waiting, claim: string): Promise<EndedClaim> {
  const known = waitsOn(waiting.database)
  const name = nameOf(waiting.call)
  const existing = known.get(name)
  if (existing) return existing
  const wait = poll(waiting, claim).finally(() => known.delete(name))
  known.set(name, wait)
  return wait
}

async function poll({ database, call, now }: Waiting, claim: string): Promise<EndedClaim> {
  for (let pause = firstPause; ; pause = Math.min(longestPause, pause * growth)) {
    await delay(pause)
    const found = await readClaim(database, call, { claim, now: now() })
    if (found.kind === 'answered') return { claim, answer: found.answer }
    if (found.kind === 'free') return { claim }
  }
}
