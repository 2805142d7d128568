import { type Database, deleteBuilds } from '@lanyard/database'
import { type Kysely, sql } from 'kysely'

/** Milliseconds that a build is kept after it ended: whoever names it by its hash is told that it is too late. */
const keepBuilds = 10 * 60_000

/** Milliseconds that an order is kept after it was closed: what came to nothing within a day is held against an account. */
const keepOrders = 24 * 60 * 60_000

/** Rows that one statement deletes: they may have 100 KB each. */
const batchSize = 200

/**
 * Deletes what nobody signed in time: orders, what the service would have paid for, builds. All that is due goes in one
 * pass, whatever its number. May run at once in any number of processes; what another transaction holds waits for the
 * next pass.
 *
 * @returns how many orders and builds
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
 * Orders that their owner never submitted, once nothing that was signed for them can be used: a final block is past
 * their operations, if the operator signed any (`EXPIRED`), and past their co-signature.
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

/** Sponsorships of builds that a final block shows never came: nothing is charged for them. */
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
