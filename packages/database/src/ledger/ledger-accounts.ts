import { type Kysely, sql } from 'kysely'
import { inTransaction } from '../in-transaction.ts'
import type { Database } from '../schema.ts'
import { type Balances, lockNetwork, openingEntries, writeEntries } from './record-ledger.ts'

/** An account with the time when its row was written. */
export interface LedgerCandidate {
  readonly address: string
  readonly created_at: Date
  /** Whether it is proven and has no ledger on the network. */
  readonly isDue: boolean
}

/**
 * A page of the accounts in the order of their addresses, each with whether its entries should be read from now on: its owner
 * registered a passkey, or signed an operation. Everybody can write other rows, which cost nothing here but a look.
 */
export const listCandidates = (
  database: Kysely<Database>,
  network: number,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<LedgerCandidate[]> =>
  database
    .selectFrom('accounts')
    .select(['address', 'created_at'])
    // A look-up for each row of the page: a join may read the ledgers of all accounts.
    .select(
      sql<boolean>`(passkey_x is not null or signatures > 0) and
        (select account from ledger_accounts where account = address and network = ${network}) is null`.as(
        'isDue',
      ),
    )
    .where('address', '>', after ?? '')
    .orderBy('address')
    .limit(limit)
    .execute()

/** An account whose entries are complete from a block on. */
export interface Admission {
  /** In lower case. */
  readonly account: string
  readonly completeFrom: bigint
  /** The time of the block before it. */
  readonly completeAt: Date
  /** Its balances after the block before; undefined if the node has no state of that block. */
  readonly balances: Balances | undefined
  readonly now: Date
}

/** Starts the ledgers of some accounts on a network that is read. Those that have one keep it. */
export async function admitToLedger(
  database: Kysely<Database>,
  network: number,
  admissions: readonly Admission[],
): Promise<void> {
  if (admissions.length === 0) return
  await database.transaction().execute(async (transaction) => {
    if (!(await lockNetwork(transaction, network))) return
    const inserted = await transaction
      .insertInto('ledger_accounts')
      .values(
        admissions.map(({ account, completeFrom, completeAt, balances, now }) => ({
          ...{ account, network, complete_from: Number(completeFrom), complete_at: completeAt },
          ...{ read_to: Number(completeFrom) - 1, reconcile_at: now },
          reconciled_block: balances ? Number(completeFrom) - 1 : null,
          balances: JSON.stringify(balances ?? {}),
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning('account')
      .execute()
    const isNew = new Set(inserted.map(({ account }) => account))
    await writeEntries(
      transaction,
      network,
      admissions
        .filter(({ account, balances }) => isNew.has(account) && balances)
        .flatMap((admission) =>
          openingEntries(
            admission,
            Object.entries(admission.balances ?? {}).map(([key, value]) => [key, BigInt(value)]),
          ),
        ),
    )
  })
}

/** How far a network was read; undefined: never. */
export const readLedgerNetwork = (database: Kysely<Database>, network: number) =>
  database.selectFrom('ledger_networks').selectAll().where('network', '=', network).executeTakeFirst()

/** All networks, with the number of accounts whose earlier entries are still being read. */
export const readLedgerProgress = (database: Kysely<Database>) =>
  database
    .selectFrom('ledger_networks as one')
    .select(['network', 'block_number', 'block_at', 'read_at'])
    .select((eb) =>
      eb
        .selectFrom('ledger_accounts')
        .select(sql<number>`count(*)::int4`.as('count'))
        .whereRef('ledger_accounts.network', '=', 'one.network')
        .where('read_to', 'is not', null)
        .as('behind'),
    )
    .execute()

/** Starts to read a network, from the block after this one on. Another process may have done so. */
export const startLedger = (
  database: Kysely<Database>,
  network: number,
  { block, blockAt, now }: { readonly block: bigint; readonly blockAt: Date; readonly now: Date },
) =>
  database
    .insertInto('ledger_networks')
    .values({
      ...{ network, block_number: Number(block), block_at: blockAt },
      ...{ read_at: now, next_read_at: now },
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** When the next pass over a network may begin. */
export const scheduleLedger = (database: Kysely<Database>, network: number, nextReadAt: Date) =>
  database
    .updateTable('ledger_networks')
    .set({ next_read_at: nextReadAt })
    .where('network', '=', network)
    .execute()

/** The accounts that are read together, with the number of accounts that have joined so far. */
export async function findLedgerAccounts(
  database: Kysely<Database>,
  network: number,
): Promise<
  { readonly accounts: readonly string[]; readonly joins: number; readonly block: bigint } | undefined
> {
  // Before the accounts: one that joins in between then makes the page void, instead of missing.
  const row = await readLedgerNetwork(database, network)
  if (!row) return undefined
  const rows = await database
    .selectFrom('ledger_accounts')
    .select('account')
    .where('network', '=', network)
    .where('read_to', 'is', null)
    .orderBy('account')
    .execute()
  return {
    accounts: rows.map(({ account }) => account),
    ...{ joins: row.joins, block: BigInt(row.block_number) },
  }
}

/** Accounts whose earlier entries are still to be read: those that are the furthest behind first, or the nearest. */
export const findBehind = (
  database: Kysely<Database>,
  network: number,
  { order, limit }: { readonly order: 'furthest' | 'nearest'; readonly limit: number },
) =>
  database
    .selectFrom('ledger_accounts')
    .select('account')
    .select(sql<number>`read_to`.as('read_to'))
    .where('network', '=', network)
    .where('read_to', 'is not', null)
    .orderBy('read_to', order === 'furthest' ? 'asc' : 'desc')
    .limit(limit)
    .execute()

/** The ledger of an account on one network. */
export interface AccountLedger {
  readonly network: number
  /** Its entries are complete between these blocks. */
  readonly complete_from: number
  readonly complete_to: number
  readonly complete_at: Date
  /** The last block whose balances agree with the entries; null: not compared yet. */
  readonly reconciled_block: number | null
  readonly balances: Balances
  /** Whether it is read with its network's other accounts: false while earlier entries are still being read. */
  readonly is_current: boolean
}

/** The ledgers of an account, in the order of the networks. */
export async function readAccountLedgers(
  database: Kysely<Database>,
  account: string,
): Promise<readonly AccountLedger[]> {
  const { rows } = await sql<AccountLedger>`
    select network, complete_from, coalesce(read_to, block_number) as complete_to, complete_at,
      reconciled_block, balances, read_to is null as is_current
    from ledger_accounts join ledger_networks using (network)
    where account = ${account.toLowerCase()} order by network`.execute(database)
  return rows
}

/** The accounts that have a ledger, in order. */
export async function listLedgerAccounts(
  database: Kysely<Database>,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await database
    .selectFrom('ledger_accounts')
    .select('account')
    .distinct()
    .where('account', '>', after)
    .orderBy('account')
    .limit(limit)
    .execute()
  return rows.map(({ account }) => account)
}

/**
 * Forgets the ledger of a network, or of one account there: it is read again, from the same blocks on. Without an account, how
 * far the network was read is forgotten too: its chain may have fewer blocks now.
 *
 * @returns the number of accounts
 */
export async function resetLedger(
  database: Kysely<Database>,
  { network, account }: { readonly network: number; readonly account?: string | undefined },
): Promise<number> {
  const isMeant = account === undefined ? sql.lit(true) : sql<boolean>`account = ${account.toLowerCase()}`
  return inTransaction(database, async (transaction) => {
    // A page that is being read now belongs to the former ledger.
    if (account === undefined)
      await transaction.deleteFrom('ledger_networks').where('network', '=', network).execute()
    else
      await transaction
        .updateTable('ledger_networks')
        .set({ joins: sql`joins + 1` })
        .where('network', '=', network)
        .execute()
    // Before the entries: this waits for a comparison that is about to write some.
    const { numDeletedRows } = await transaction
      .deleteFrom('ledger_accounts')
      .where('network', '=', network)
      .where(isMeant)
      .executeTakeFirstOrThrow()
    await transaction.deleteFrom('ledger_entries').where('network', '=', network).where(isMeant).execute()
    return Number(numDeletedRows)
  })
}
