import { type Database, markAccepted } from '@lanyard/database'
import { type QueryCreator, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Address, Hex } from 'viem'
import type { OwnCallKind, SenderContext } from './context.ts'

/** The right to send for an account (a relayer, the settler), held by one process at a time. */
export interface Lease {
  readonly relayer: Address
  readonly fence: number
  /**
   * When the node accepted the transactions that were sent under this lease, by hash: written with its release. A process
   * that dies before leaves rows without `sent_at`, whose bytes the next one sends again.
   */
  readonly accepted: Map<Hex, Date>
}

export const newLease = (relayer: Address, fence: number): Lease => ({ relayer, fence, accepted: new Map() })

/** Thrown if another process has taken the account over; the writes that it stopped did not happen. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/**
 * Takes the account if nobody holds it or the holder stopped renewing the lease. The fence grows each time.
 *
 * The clocks of two processes may differ. That affects when the lease changes hands, but not whether a write
 * of the former holder is rejected, since the fence decides that. Null: another process has the account and
 * drains the same table.
 *
 * @param kind - an urgent call is next, before the queue's following turn
 */
export async function takeLease(
  context: SenderContext,
  relayer: Address,
  kind: OwnCallKind = 'usual',
): Promise<Lease | null> {
  const { database } = context
  const taken = await taking(database, context, relayer, { kind }).executeTakeFirst()
  if (taken) return newLease(relayer, taken.fence)
  if (kind === 'urgent') {
    await database
      .updateTable('relayer_leases')
      .set({ urgent_until: new Date(context.now().getTime() + urgentFor) })
      .where('network', '=', context.network.chainId)
      .where('relayer', '=', relayer.toLowerCase())
      .execute()
  }
  return null
}

/** Milliseconds for which others leave a relayer to an urgent call. Whoever waits asks several times a second. */
const urgentFor = 1_000

/**
 * Takes the lease as a part of another statement.
 *
 * @param condition - whether it is needed
 */
export function taking(
  db: QueryCreator<Database>,
  context: SenderContext,
  relayer: Address,
  { kind = 'usual', condition = sql`true` }: { kind?: OwnCallKind; condition?: RawBuilder<boolean> } = {},
) {
  const now = context.now()
  return db
    .insertInto('relayer_leases')
    .columns(['network', 'relayer', 'holder', 'fence', 'expires_at'])
    .expression(
      sql`select ${context.network.chainId}::int8, ${relayer.toLowerCase()}, ${context.holder}, 1,
        ${expiry(context)}::timestamptz where ${condition}`,
    )
    .onConflict((conflict) =>
      conflict
        .columns(['network', 'relayer'])
        .doUpdateSet((eb) => ({
          holder: eb.ref('excluded.holder'),
          fence: eb('relayer_leases.fence', '+', 1),
          expires_at: eb.ref('excluded.expires_at'),
          urgent_until: null,
        }))
        .where((eb) =>
          eb.and([
            eb.or([
              eb('relayer_leases.expires_at', '<=', now),
              // Left by a drive of this process that failed in the middle; two drives never run concurrently.
              eb('relayer_leases.holder', '=', context.holder),
            ]),
            sql<boolean>`(${kind === 'urgent'} or coalesce(relayer_leases.urgent_until <= ${now}::timestamptz, true))`,
          ]),
        ),
    )
    .returning('fence')
}

/**
 * Renews the lease if it is still held; the row stays locked until the statement's transaction ends. A single
 * write includes it in its `with`; {@link fenced} runs several writes.
 */
const renewal = (db: QueryCreator<Database>, context: SenderContext, lease: Lease) =>
  db
    .updateTable('relayer_leases')
    .set({ expires_at: expiry(context) })
    .where(own(context, lease))
    .where('expires_at', '>', context.now())

/** The same for a store that puts it before its own write. */
export const renewing = (context: SenderContext, lease: Lease) => (db: QueryCreator<Database>) =>
  renewal(db, context, lease).returning('fence')

/**
 * Runs writes in one transaction and renews the lease, provided that it is still held. The row stays locked
 * until the transaction ends, so nobody can take over in between.
 *
 * @throws LeaseLost
 */
export async function fenced<T>(
  context: SenderContext,
  lease: Lease,
  write: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  return await context.database.transaction().execute(async (trx) => {
    const held = await renewal(trx, context, lease).executeTakeFirst()
    if (held.numUpdatedRows !== 1n) throw new LeaseLost(`Relayer ${lease.relayer} was taken over`)
    return await write(trx)
  })
}

/**
 * Renews the lease during a pass, however long the chain takes to respond, so that leases can be short and a
 * dead process's lease expires soon. Write failures do not matter here: `fenced` checks again before each
 * write.
 *
 * @returns a function that stops the renewal
 */
function keepLease(context: SenderContext, lease: Lease): () => void {
  const renew = () =>
    renewal(context.database, context, lease)
      .execute()
      .catch(() => {})
  const timer = setInterval(renew, context.settings.leaseDuration / 3)
  return () => clearInterval(timer)
}

/**
 * Releases the account immediately: the lease has expired by anyone's clock. The same statement records when the node
 * accepted the transactions of this lease.
 */
export async function releaseLease(context: SenderContext, lease: Lease): Promise<void> {
  const release = (db: QueryCreator<Database>) =>
    db
      .updateTable('relayer_leases')
      .set({ expires_at: new Date(0) })
      .where(own(context, lease))
  if (lease.accepted.size === 0) await release(context.database).execute()
  else await markAccepted(context.database, lease.accepted, (db) => release(db).returning('fence'))
}

const expiry = ({ now, settings }: SenderContext) => new Date(now().getTime() + settings.leaseDuration)

const own = (context: SenderContext, lease: Lease) =>
  sql<boolean>`network = ${context.network.chainId} and relayer = ${lease.relayer.toLowerCase()}
    and holder = ${context.holder} and fence = ${lease.fence}`

/**
 * Runs a pass while only this process may send for the account, and releases the account.
 *
 * @param lease - as it was just taken; null: another process holds the account
 * @returns the result of the pass; undefined if another process holds the account, or took it over in the
 * meantime
 */
export async function underLease<T>(
  context: SenderContext,
  lease: Lease | null,
  pass: (lease: Lease) => Promise<T>,
): Promise<T | undefined> {
  if (!lease) return undefined
  await context.checkpoint('lease-taken')
  const stopRenewing = keepLease(context, lease)
  let result: T
  try {
    result = await pass(lease)
  } catch (error) {
    if (error instanceof LeaseLost) return undefined
    throw error
  } finally {
    stopRenewing()
    await releaseLease(context, lease)
  }
  await context.checkpoint('lease-released')
  return result
}
