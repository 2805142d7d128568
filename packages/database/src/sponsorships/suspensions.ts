import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { hasPaid } from '../operations/relayer-losses.ts'
import type { Database, SponsorshipSuspensionsTable } from '../schema.ts'

type SuspensionRow = Selectable<SponsorshipSuspensionsTable>

/**
 * Suspends subjects. A later end replaces an earlier one, and the accounts that count as new stay those since the first of
 * them. All rows begin at one time.
 */
export async function writeSuspensions(
  transaction: Transaction<Database>,
  rows: readonly Insertable<SponsorshipSuspensionsTable>[],
): Promise<void> {
  await transaction
    .insertInto('sponsorship_suspensions')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['network', 'subject']).doUpdateSet((eb) => ({
        reason: eb.ref('excluded.reason'),
        user_op_hash: eb.ref('excluded.user_op_hash'),
        since: sql<Date>`case when ${eb.ref('sponsorship_suspensions.until')} > ${eb.ref('excluded.since')}
          then ${eb.ref('sponsorship_suspensions.since')} else ${eb.ref('excluded.since')} end`,
        until: eb.ref('excluded.until'),
      })),
    )
    .execute()
}

interface SuspensionQuery {
  readonly network: number
  /** In lower case. */
  readonly account: string
  /** The account's subject: it is suspended whatever its age. */
  readonly subject: string
  /** Subjects that suspend the account only if it is new and has not paid for an operation itself. */
  readonly ofNewAccounts: readonly string[]
  readonly now: Date
}

/** @returns the suspension that ends last of those that hold for an account; undefined if none does */
export const findSuspension = (
  database: Kysely<Database>,
  { network, account, subject, ofNewAccounts, now }: SuspensionQuery,
): Promise<SuspensionRow | undefined> =>
  database
    .selectFrom('sponsorship_suspensions')
    .selectAll()
    .where('network', '=', network)
    .where('subject', 'in', [subject, ...ofNewAccounts])
    .where('until', '>', now)
    .where((eb) =>
      eb.or([
        eb('subject', '=', subject),
        eb.and([
          eb.not(
            eb.exists(
              eb
                .selectFrom('accounts')
                .select('address')
                .where('address', '=', account)
                .whereRef('created_at', '<', 'since'),
            ),
          ),
          eb.not(hasPaid(sql.lit(network), sql.val(account))),
        ]),
      ]),
    )
    .orderBy('until', 'desc')
    .executeTakeFirst()

/** Suspensions that have not ended, the latest first. */
export const readSuspensions = (database: Kysely<Database>, now: Date): Promise<SuspensionRow[]> =>
  database
    .selectFrom('sponsorship_suspensions')
    .selectAll()
    .where('until', '>', now)
    .orderBy('since', 'desc')
    .execute()

/** @returns the number of networks on which the subject was suspended */
export async function endSuspension(database: Kysely<Database>, subject: string): Promise<number> {
  const { numDeletedRows } = await database
    .deleteFrom('sponsorship_suspensions')
    .where('subject', '=', subject)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/**
 * Deletes suspensions that ended.
 *
 * @returns the number of rows
 */
export async function purgeSuspensions(
  database: Kysely<Database>,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const deleted = await database
    .deleteFrom('sponsorship_suspensions')
    .where(
      sql<boolean>`ctid = any (array(
        select ctid from sponsorship_suspensions where until < ${before}::timestamptz limit ${limit}))`,
    )
    .executeTakeFirst()
  return Number(deleted.numDeletedRows)
}
