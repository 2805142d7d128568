import type { Kysely } from 'kysely'

/**
 * The rows of one app of an installation name it. There is one app, `default`. What belongs to a user or an account is
 * found by it, so those rows name none. A constant default writes no row again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of tenantTables)
    await db.schema
      .alterTable(table)
      .addColumn('project_id', 'text', (column) => column.notNull().defaultTo('default'))
      .execute()
}

const tenantTables = [
  ...['users', 'accounts', 'identities', 'relying_party'],
  ...['api_keys', 'webhook_endpoints', 'gas_policy_edits'],
] as const
