import { type Database, findAccount, findImport, findUserByName } from '@lanyard/database'
import type { Command } from 'commander'
import { type Kysely, sql, type Transaction } from 'kysely'
import { isAddress } from 'viem'
import { runCliAct } from '../cli-audit.ts'
import { CliError } from '../cli-error.ts'
import { ofPreparedDatabase, withManual } from '../manual.ts'
import { openCliDatabase } from '../open-cli-database.ts'
import { toJson } from '../output.ts'
import { terminal } from '../terminal.ts'

const about = `
Prints one JSON document with what the service stores about a user, at one moment: the account with the data that its
address depends on, passkeys (public keys), linked logins, operations and which of them the service pays for, orders. It
has no secret. To move an installation, move its database.`

/** `lanyard export`. */
export function addExport(group: Command): void {
  const command = group.requiredOption(
    '--user <name>',
    'a username, the address of a smart account or of its EOA, or the external id of an import',
  )
  withManual(command, {
    about,
    environment: ofPreparedDatabase,
    examples: ['export --user alice'],
  }).action(({ user }: { readonly user: string }) => exportUser(user))
}

async function exportUser(name: string): Promise<void> {
  await using database = await openCliDatabase()
  const userId = await findUserId(database.db, name)
  const rows =
    userId &&
    (await database.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((transaction) => readUser(transaction, userId)))
  if (!rows) throw new CliError('UNKNOWN_USER', `There is no user "${name}" here.`)
  await runCliAct(database, ({ record }) => record({ act: 'user.export', subject: name }))
  terminal().stdout(`${toJson({ format: 'lanyard-user', exported_at: new Date(), ...rows }, 2)}\n`)
}

async function findUserId(database: Kysely<Database>, name: string): Promise<string | undefined> {
  const user = await findUserByName(database, name)
  if (user) return user.id
  if (isAddress(name, { strict: false })) return (await findAccount(database, name))?.user_id
  const imported = await findImport(database, { externalId: name })
  return imported?.account ? (await findAccount(database, imported.account))?.user_id : undefined
}

const ofOrders = sql`order_id in (select order_id from orders where account = (select address from mine))`

/** The rows about an account, by table and in order. Who called the service is no part of them. */
const tables = {
  identities: sql`user_id = (select user_id from mine) order by linked_at, id`,
  guardian_requests: sql`account = (select address from mine) order by requested_at, id`,
  credentials: sql`user_id = (select user_id from mine) order by created_at, id`,
  operations: sql`account = (select address from mine) order by built_at, user_op_hash`,
  sponsorships: sql`account = (select address from mine) order by created_at, user_op_hash`,
  orders: sql`account = (select address from mine) order by reserved_at, order_id`,
  order_operations: sql`${ofOrders} order by created_at, order_hash`,
  order_debits: sql`${ofOrders} order by order_id, network`,
  attestations: sql`order_hash in (select order_hash from order_operations where ${ofOrders})
    order by order_hash, attestor`,
} as const

const callers = { built_by: undefined, sent_by: undefined, caller: undefined, builder: undefined }

/** Rows have the names of the database's columns; bytes are base64url. */
async function readUser(transaction: Transaction<Database>, userId: string) {
  const user = await transaction.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst()
  const account = await transaction
    .selectFrom('accounts')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!user || !account) return undefined
  const imported = await findImport(transaction, { userId })
  const document: Record<string, unknown> = { user, account, ...(imported && { imported }) }
  for (const [table, rows] of Object.entries(tables)) {
    const result = await sql<Record<string, unknown>>`
      with mine as (select address, user_id from accounts where user_id = ${userId})
      select * from ${sql.table(table)} where ${rows}`.execute(transaction)
    document[table] = result.rows.map((row) => ({
      ...row,
      ...callers,
      // With IDENTITY_SECRETS it shows whether a subject is this user's.
      ...(table === 'identities' && { hash: undefined }),
      ...(row.public_key instanceof Uint8Array && {
        public_key: Buffer.from(row.public_key).toString('base64url'),
      }),
    }))
  }
  return document
}
