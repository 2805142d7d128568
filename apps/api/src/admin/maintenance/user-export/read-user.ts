import type { AccountRow, Database, UserRow } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'
import { type UserExport, userExportVersion } from './user-export.ts'

/** The export without the state on the chains. */
type StoredUser = Omit<UserExport, 'derived'>

/**
 * Reads everything about a user in one consistent snapshot.
 *
 * @returns undefined for a user who no longer exists
 */
export async function readUser(
  database: Kysely<Database>,
  userId: string,
  now: Date,
): Promise<StoredUser | undefined> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((transaction) => readRows(transaction, userId, now))
}

async function readRows(
  transaction: Transaction<Database>,
  userId: string,
  now: Date,
): Promise<StoredUser | undefined> {
  const found = await findBoth(transaction, userId)
  if (!found) return undefined
  const { address } = found.account
  const relyingParty = await transaction.selectFrom('relying_party').select('rp_id').executeTakeFirst()
  const credentials = await transaction
    .selectFrom('credentials')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const operations = await transaction
    .selectFrom('operations')
    .selectAll()
    .where('account', '=', address)
    .orderBy('built_at')
    .orderBy('user_op_hash')
    .execute()
  const sponsorships = await transaction
    .selectFrom('sponsorships')
    .selectAll()
    .where('account', '=', address)
    .orderBy('created_at')
    .orderBy('user_op_hash')
    .execute()
  const orders = await transaction
    .selectFrom('orders')
    .selectAll()
    .where('account', '=', address)
    .orderBy('reserved_at')
    .orderBy('order_id')
    .execute()
  return {
    format: 'lanyard-user',
    version: userExportVersion,
    exported_at: now,
    rp_id: relyingParty?.rp_id ?? null,
    ...found,
    credentials,
    // The columns hold JSON, and hex where the schema requires it: encoding checks both.
    operations: operations.map((row) => ({
      ...row,
      built_by: null,
      sent_by: null,
    })) as UserExport['operations'],
    sponsorships,
    orders,
    ...(await readOfOrders(transaction, address)),
  } as StoredUser
}

async function findBoth(transaction: Transaction<Database>, userId: string) {
  const user: UserRow | undefined = await transaction
    .selectFrom('users')
    .selectAll()
    .where('id', '=', userId)
    .executeTakeFirst()
  const account: AccountRow | undefined = await transaction
    .selectFrom('accounts')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!user || !account) return undefined
  const { id, kind, username, created_at } = user
  const { signatures: _signatures, version: _version, ...kept } = account
  return { user: { id, kind, username, created_at }, account: kept }
}

async function readOfOrders(transaction: Transaction<Database>, address: string) {
  const order_operations = await transaction
    .selectFrom('order_operations')
    .innerJoin('orders', 'orders.order_id', 'order_operations.order_id')
    .selectAll('order_operations')
    .where('orders.account', '=', address)
    .orderBy('order_operations.created_at')
    .orderBy('order_operations.order_hash')
    .execute()
  const order_debits = await transaction
    .selectFrom('order_debits')
    .innerJoin('orders', 'orders.order_id', 'order_debits.order_id')
    .selectAll('order_debits')
    .where('orders.account', '=', address)
    .orderBy('order_debits.order_id')
    .orderBy('order_debits.network')
    .execute()
  const attestations = await transaction
    .selectFrom('attestations')
    .innerJoin('order_operations', 'order_operations.order_hash', 'attestations.order_hash')
    .innerJoin('orders', 'orders.order_id', 'order_operations.order_id')
    .selectAll('attestations')
    .where('orders.account', '=', address)
    .orderBy('attestations.order_hash')
    .orderBy('attestations.attestor')
    .execute()
  return { order_operations, order_debits, attestations }
}
