import { usernameKey, usernameSkeleton } from '@lanyard/contracts'
import type { Database } from '@lanyard/database'
import type { Kysely, Transaction } from 'kysely'
import { sql } from 'kysely'
import { findConflicts, type ImportPolicy } from './find-conflicts.ts'
import { importMissingOperations } from './import-operations.ts'
import { importOrders } from './import-orders.ts'
import { importSponsorships } from './import-sponsorships.ts'
import type { UserExport } from './user-export.ts'
import { findContradictions } from './verify-user.ts'

/** The number of added rows; existing ones are not changed. */
interface Added {
  readonly users: number
  readonly credentials: number
  readonly operations: number
  readonly sponsorships: number
  readonly orders: number
}

export interface ImportResult {
  readonly username: string
  readonly address: string
  /** `present`: everything existed already. `refused`: nothing was imported. */
  readonly state: 'imported' | 'present' | 'refused'
  readonly added: Added
  /** The reasons for the refusal. */
  readonly conflicts: readonly string[]
}

export interface ImportOptions extends ImportPolicy {
  /** Does everything and then rolls back. */
  readonly dryRun: boolean
}

const nothing: Added = { users: 0, credentials: 0, operations: 0, sponsorships: 0, orders: 0 }

/** Rolls back the transaction of a dry run. */
class Undone extends Error {
  override readonly name = 'Undone'
  readonly added: Added

  constructor(added: Added) {
    super('dry run')
    this.added = added
  }
}

/**
 * Imports a user in one transaction. Existing rows are not changed, so the import may be repeated: what has
 * happened here since is newer than the document. Ledger entries are read from the chains when they are
 * needed.
 */
export async function importUser(
  database: Kysely<Database>,
  document: UserExport,
  options: ImportOptions,
): Promise<ImportResult> {
  const of = { username: document.user.username, address: document.account.address }
  const contradictions = findContradictions(document)
  if (contradictions.length > 0) return { ...of, state: 'refused', added: nothing, conflicts: contradictions }
  try {
    return await database.transaction().execute(async (transaction) => {
      const { present, conflicts } = await findConflicts(transaction, document, options)
      if (conflicts.length > 0) return { ...of, state: 'refused', added: nothing, conflicts }
      const added = {
        users: present ? 0 : await insertUser(transaction, document),
        credentials: await importCredentials(transaction, document),
        operations: await importMissingOperations(transaction, document.operations),
        sponsorships: await importSponsorships(transaction, document.sponsorships),
        orders: await importOrders(transaction, document),
      }
      if (options.dryRun) throw new Undone(added)
      return { ...of, state: stateOf(added), added, conflicts: [] }
    })
  } catch (error) {
    if (error instanceof Undone)
      return { ...of, state: stateOf(error.added), added: error.added, conflicts: [] }
    throw error
  }
}

const stateOf = (added: Added) => (Object.values(added).some((count) => count > 0) ? 'imported' : 'present')

async function insertUser(
  transaction: Transaction<Database>,
  { user, account }: UserExport,
): Promise<number> {
  const skeleton = usernameSkeleton(user.username)
  const alike = await transaction
    .selectFrom('users')
    .select('id')
    .where('username_skeleton', '=', skeleton)
    .executeTakeFirst()
  await transaction
    .insertInto('users')
    .values({
      ...user,
      username_key: usernameKey(user.username),
      // An existing name keeps working, even if a look-alike name exists here.
      username_skeleton: alike ? null : skeleton,
    })
    .execute()
  await transaction
    .insertInto('accounts')
    .values({ ...account, deployment: JSON.stringify(account.deployment) })
    .execute()
  return 1
}

/** A counter only increases: if it decreased, a cloned authenticator would be accepted. */
async function importCredentials(
  transaction: Transaction<Database>,
  { credentials }: UserExport,
): Promise<number> {
  let added = 0
  for (const row of credentials) {
    const inserted = await transaction
      .insertInto('credentials')
      .values({ ...row, transports: JSON.stringify(row.transports) })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (inserted) added++
    else {
      await transaction
        .updateTable('credentials')
        .set({ counter: sql`greatest(counter, ${row.counter})` })
        .where('id', '=', row.id)
        .execute()
    }
  }
  return added
}
