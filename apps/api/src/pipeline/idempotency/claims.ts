import { randomUUID } from 'node:crypto'
import { LanyardError } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'

/** A call with a key, by one caller. */
export interface KeyedCall {
  readonly caller: string
  readonly endpoint: string
  readonly key: string
  readonly requestHash: string
}

export type Claim =
  /** This process runs the call, and only this process may write its answer. */
  | { readonly kind: 'claimed'; readonly claim: string }
  | { readonly kind: 'answered'; readonly answer: string }

/** Milliseconds that an answer is kept. */
const lifetime = 24 * 60 * 60_000

/**
 * Milliseconds after which a claim expires unless its process renews it: a dead process blocks a key for this
 * long.
 */
const claimLifetime = 10_000

/** Milliseconds between renewals: two of them may fail. */
export const renewalInterval = 3_000

const endOf = (now: Date) => new Date(now.getTime() - lifetime)

/** Whether the answer of a row has expired, even if the row still exists: its key is free for any request. */
const isOver = (now: Date) => sql<boolean>`idempotency_keys.created_at <= ${endOf(now)}`

const expiryOf = (now: Date) => new Date(now.getTime() + claimLifetime)

/**
 * Claims the call, or reads its stored answer. A single statement decides, so that of any number of requests,
 * in any number of processes, only one runs.
 *
 * @throws IDEMPOTENCY_MISMATCH; REQUEST_IN_PROGRESS while another request runs it
 */
export async function claimCall(
  database: Kysely<Database>,
  call: KeyedCall,
  { now }: { readonly now: Date },
): Promise<Claim> {
  const { caller, endpoint, key, requestHash } = call
  const claim = randomUUID()
  const taken = { state: 'running', claim, claim_expires_at: expiryOf(now), answer: null } as const
  const claimed = await database
    .insertInto('idempotency_keys')
    .values({ caller, endpoint, key, request_hash: requestHash, created_at: now, ...taken })
    .onConflict((conflict) =>
      conflict
        .columns(['caller', 'endpoint', 'key'])
        .doUpdateSet({
          ...taken,
          request_hash: requestHash,
          created_at: sql`case when ${isOver(now)} then excluded.created_at else idempotency_keys.created_at end`,
        })
        .where(({ and, or, eb }) =>
          or([
            isOver(now),
            and([
              eb('idempotency_keys.request_hash', '=', requestHash),
              or([
                eb('idempotency_keys.state', '=', 'unfinished'),
                and([
                  eb('idempotency_keys.state', '=', 'running'),
                  eb('idempotency_keys.claim_expires_at', '<=', now),
                ]),
              ]),
            ]),
          ]),
        ),
    )
    .returning('claim')
    .executeTakeFirst()
    .catch(async (error: unknown) => {
      // The claim may have been written although the response was lost. It would then block the caller until
      // it expires.
      await heldBy(database, call, claim)
        .set({ claim_expires_at: now })
        .execute()
        .catch(() => {})
      throw error
    })
  if (claimed) return { kind: 'claimed', claim }

  const row = await database
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'state', 'answer'])
    .where('caller', '=', caller)
    .where('endpoint', '=', endpoint)
    .where('key', '=', key)
    .executeTakeFirst()
  if (row && row.request_hash !== requestHash) throw new LanyardError('IDEMPOTENCY_MISMATCH')
  if (row?.state === 'finished' && row.answer !== null) return { kind: 'answered', answer: row.answer }
  // The call is running, or it ended between the two statements.
  throw new LanyardError('REQUEST_IN_PROGRESS', { details: { retryAfter } })
}

/** Seconds within which most calls are answered. */
const retryAfter = 1

const heldBy = (database: Kysely<Database>, { caller, endpoint, key }: KeyedCall, claim: string) =>
  database
    .updateTable('idempotency_keys')
    .where('caller', '=', caller)
    .where('endpoint', '=', endpoint)
    .where('key', '=', key)
    .where('claim', '=', claim)
    .where('state', '=', 'running')

/** Shows that the process that holds the claim is alive. */
export async function renewClaim(
  database: Kysely<Database>,
  call: KeyedCall,
  { claim, now }: { readonly claim: string; readonly now: Date },
): Promise<void> {
  await heldBy(database, call, claim)
    .set({ claim_expires_at: expiryOf(now) })
    .execute()
}

/**
 * Writes the result of the call and ends the claim.
 *
 * @param database - or a transaction, whose other writes are then committed together with the answer
 * @returns false when the claim was lost in the meantime, and nothing was written
 */
export async function writeAnswer(
  database: Kysely<Database>,
  call: KeyedCall,
  { claim, state, answer }: { claim: string; state: 'finished' | 'unfinished'; answer: string },
): Promise<boolean> {
  const written = await heldBy(database, call, claim)
    .set({ state, answer })
    .returning('claim')
    .executeTakeFirst()
  return written !== undefined
}

/** Number of rows that one statement deletes: an answer may take 100 KB. */
const batchSize = 500

/**
 * Deletes answers after 24 hours, however many there are. A claim does not do this, because it would wait for
 * a busy day's rows.
 *
 * @returns the number of answers
 */
export async function purgeAnswers(database: Kysely<Database>, now: Date): Promise<number> {
  for (let deleted = 0; ; ) {
    const { numAffectedRows } = await sql`
      delete from idempotency_keys where (caller, endpoint, key) in (
        select caller, endpoint, key from idempotency_keys where created_at <= ${endOf(now)}
        limit ${batchSize} for update skip locked
      )`.execute(database)
    deleted += Number(numAffectedRows ?? 0)
    if (Number(numAffectedRows ?? 0) < batchSize) return deleted
  }
}
