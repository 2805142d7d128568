import type { Database } from '@lanyard/database'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'

/**
 * Milliseconds that a build which nobody signed is kept when it has expired: longer than any answer under an
 * Idempotency-Key that names it, and whoever signs it late is told why it is too late.
 */
const keepFor = 24 * 60 * 60_000

/**
 * How many of them one account keeps in that time. Lanes bound only those that can still be signed: a newer build takes the
 * place of an older one, whose row stays.
 */
export const mostPerAccount = 1_000

/** Rows that one statement deletes: they may have 100 KB each. */
const batchSize = 200

/**
 * Deletes builds that were never signed, so that nothing ever came of them. What an order, a sponsorship or a later build
 * refers to stays. May run at once in any number of processes.
 *
 * @returns how many
 */
export async function purgeBuilds(database: Kysely<Database>, now: Date): Promise<number> {
  const lapsed = new Date(now.getTime() - keepFor)
  let deleted = await inBatches(() =>
    deleteBuilds(database, useless(database, now).where('build_expires_at', '<=', lapsed)),
  )
  for (const account of await findBusyAccounts(database)) {
    const older = useless(database, now)
      .where('account', '=', account)
      .orderBy('build_expires_at', 'desc')
      .offset(mostPerAccount)
    deleted += await inBatches(() => deleteBuilds(database, older))
  }
  return deleted
}

const useless = (database: Kysely<Database>, now: Date) =>
  database
    .selectFrom('operations')
    .select('user_op_hash')
    .where('signature', 'is', null)
    .where(({ eb, or }) => or([eb('state', '<>', 'built'), eb('build_expires_at', '<=', now)]))
    .where(isNamedNowhere)

/** Where an operation is referred to. */
const references = [
  ['orders', 'user_op_hash'],
  ['order_operations', 'user_op_hash'],
  ['sponsorships', 'user_op_hash'],
  ['relayer_transaction_operations', 'user_op_hash'],
  ['operations', 'replaces'],
] as const satisfies readonly (readonly [keyof Database, string])[]

const isNamedNowhere = ({ and }: ExpressionBuilder<Database, 'operations'>) =>
  and(
    references.map(([table, column]) => {
      const name = sql.ref(`naming.${column}`)
      return sql<boolean>`not exists (
        select from ${sql.table(table)} as naming where ${name} = operations.user_op_hash
      )`
    }),
  )

/** The identical operation may be built again meanwhile: what is locked, or was changed since, stays. */
async function deleteBuilds(database: Kysely<Database>, builds: ReturnType<typeof useless>): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('operations')
    .where('user_op_hash', 'in', builds.limit(batchSize).forUpdate().skipLocked())
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

async function findBusyAccounts(database: Kysely<Database>): Promise<readonly string[]> {
  const accounts = await database
    .selectFrom('operations')
    .select('account')
    .where('signature', 'is', null)
    .groupBy('account')
    .having(({ eb, fn }) => eb(fn.countAll(), '>', mostPerAccount))
    .execute()
  return accounts.map(({ account }) => account)
}
