import { type Database, deleteBuilds } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'

/**
 * Milliseconds that a build is kept after it ended, so that a caller who names it by its hash learns that it
 * expired.
 */
const keepBuilds = 10 * 60_000

/**
 * Milliseconds that an order is kept after it was closed: orders that failed within a day count against an
 * account.
 */
const keepOrders = 24 * 60 * 60_000

/** Number of rows that one statement deletes: a row may take 100 KB. */
const batchSize = 200

/**
 * Deletes orders, sponsorships and builds that were not signed in time. One pass deletes everything that is due, no
 * matter how much. Any number of processes may run it concurrently; rows that another transaction
 * holds wait for the next pass.
 *
 * @returns the number of orders and builds
 */
export async function purgeUnsigned(database: Kysely<Database>, now: Date): Promise<number> {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  await database.deleteFrom('nonce_holds').where('expires_at', '<=', now).execute()
  const orders = await inBatches(() => deleteOrders(database, before(keepOrders)))
  await inBatches(() => deleteSponsorships(database, before(keepBuilds)))
  const builds = await inBatches(() =>
    deleteBuilds(database, { before: before(keepBuilds), limit: batchSize }),
  )
  return orders + builds
}

/**
 * Deletes orders that their owner never submitted, once none of the service's signatures for them can be
 * used: a final block is past their operations, if the operator signed any (`EXPIRED`), and past their
 * co-signature.
 */
async function deleteOrders(database: Kysely<Database>, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    with gone as (
      select order_id from orders
      where user_op_hash is null and withdrawal_state in ('none', 'lapsed')
        and (
          state = 'EXPIRED' and closed_at <= ${before}
          or state = 'RESERVED' and expires_at <= ${before}
            and not exists (select from order_operations where order_operations.order_id = orders.order_id)
        )
        and not exists (
          select from order_operations join attestations using (order_hash)
          where order_operations.order_id = orders.order_id
        )
        and not exists (select from settlement_debits where settlement_debits.order_id = orders.order_id)
      order by reserved_at
      limit ${batchSize}
      for update skip locked
    ), operations_gone as (
      delete from order_operations where order_id in (select order_id from gone)
    ), debits_gone as (
      delete from order_debits where order_id in (select order_id from gone)
    )
    delete from orders where order_id in (select order_id from gone)
  `.execute(database)
  return Number(numAffectedRows ?? 0)
}

/**
 * Deletes sponsorships of builds that were never included, as a final block shows: nothing is charged for
 * them.
 */
async function deleteSponsorships(database: Kysely<Database>, before: Date): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('sponsorships')
    .where('user_op_hash', 'in', (eb) =>
      eb
        .selectFrom('sponsorships as due')
        .innerJoin('operations', 'operations.user_op_hash', 'due.user_op_hash')
        .select('due.user_op_hash')
        .where('due.charged', '=', 0n)
        .where('operations.signature', 'is', null)
        .where('operations.build_expires_at', '<=', before)
        .limit(batchSize),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

async function inBatches(deleteSome: () => Promise<number>): Promise<number> {
  let deleted = 0
  for (;;) {
    const some = await deleteSome()
    deleted += some
    if (some < batchSize) return deleted
  }
}
