import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, LedgerEntriesTable, LedgerKind } from '../schema.ts'

/** An amount that came or went. */
export interface LedgerEntry {
  /** In lower case, as all addresses here. */
  readonly account: string
  readonly blockNumber: bigint
  readonly logIndex: number
  readonly part: number
  readonly at: Date
  readonly kind: LedgerKind
  readonly holding: LedgerEntriesTable['holding']
  /** `native`, or the token's address. */
  readonly asset: string
  /** In the smallest unit; negative for what went. */
  readonly amount: bigint
  readonly counterparty?: string | undefined
  readonly txnHash?: string | undefined
  readonly userOpHash?: string | undefined
  readonly orderHash?: string | undefined
  readonly gasCost?: bigint | undefined
  readonly payer?: string | undefined
  readonly sinceBlock?: bigint | undefined
}

/** Decimal strings by `<holding>:<asset>`. */
export type Balances = Readonly<Record<string, string>>

/** Inserts entries. One that another process has written stays as it is. */
export async function writeEntries(
  transaction: Transaction<Database>,
  network: number,
  entries: readonly LedgerEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map((one) => ({
    ...{
      account: one.account,
      block_number: Number(one.blockNumber),
      log_index: one.logIndex,
      part: one.part,
    },
    ...{ at: one.at, kind: one.kind, holding: one.holding, asset: one.asset, amount: String(one.amount) },
    ...{ counterparty: one.counterparty, txn_hash: one.txnHash, user_op_hash: one.userOpHash },
    ...{ order_hash: one.orderHash, gas_cost: one.gasCost?.toString(), payer: one.payer },
    ...{ since_block: one.sinceBlock === undefined ? undefined : Number(one.sinceBlock) },
  }))
  await sql`
    insert into ledger_entries (network, account, block_number, log_index, part, at, kind, holding, asset, amount,
      counterparty, txn_hash, user_op_hash, order_hash, gas_cost, payer, since_block)
    select ${network}::int8, * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as entry (
      account text, block_number int8, log_index int4, part int4, at timestamptz, kind text, holding text, asset text,
      amount numeric, counterparty text, txn_hash text, user_op_hash text, order_hash text, gas_cost numeric,
      payer text, since_block int8
    )
    on conflict do nothing`.execute(transaction)
}

interface Opened {
  readonly account: string
  readonly completeFrom: bigint
  /** The time of the block before it. */
  readonly completeAt: Date
}

/** What an account had before its first entry, by `<holding>:<asset>`. */
export const openingEntries = (
  { account, completeFrom, completeAt }: Opened,
  amounts: readonly (readonly [string, bigint])[],
): LedgerEntry[] =>
  amounts
    .map(([key, amount], part) => ({
      ...{ account, blockNumber: completeFrom - 1n, logIndex: -1, part, at: completeAt },
      ...{ kind: 'opening' as const, ...holdingOf(key), amount },
    }))
    .filter(({ amount }) => amount !== 0n)

function holdingOf(key: string): Pick<LedgerEntry, 'holding' | 'asset'> {
  const [holding, asset = ''] = key.split(':')
  return { holding: holding === 'smart_balance' ? 'smart_balance' : 'account', asset }
}

/** Their balances are compared with the chain next. */
const markDue = (
  transaction: Transaction<Database>,
  network: number,
  entries: readonly LedgerEntry[],
  now: Date,
) =>
  entries.length === 0
    ? undefined
    : transaction
        .updateTable('ledger_accounts')
        .set({ reconcile_at: now })
        .where('network', '=', network)
        .where('account', '=', anyOf(entries.map(({ account }) => account)))
        .execute()

/** Passes any number of values as one parameter: a statement is limited to 65,535. */
const anyOf = (values: readonly string[]) => sql<string>`any(${[...new Set(values)]}::text[])`

/** Undefined: the ledger of the network was forgotten meanwhile. */
export const lockNetwork = (transaction: Transaction<Database>, network: number) =>
  transaction
    .selectFrom('ledger_networks')
    .select(['block_number', 'joins'])
    .where('network', '=', network)
    .forUpdate()
    .executeTakeFirst()

/** Final blocks that were read for the accounts that are read together. */
export interface LedgerPage {
  readonly fromBlock: bigint
  readonly toBlock: bigint
  /** The time of `toBlock`. */
  readonly at: Date
  readonly entries: readonly LedgerEntry[]
  /** As {@link findLedgerAccounts} returned it with the accounts. */
  readonly joins: number
  readonly now: Date
}

/**
 * Writes a page and how far the network was read, in one transaction.
 *
 * @returns false if another process was faster, an account joined that the page does not have, or the ledger was forgotten:
 *   nothing was written
 */
export const recordLedgerPage = (
  database: Kysely<Database>,
  network: number,
  { fromBlock, toBlock, at, entries, joins, now }: LedgerPage,
): Promise<boolean> =>
  database.transaction().execute(async (transaction) => {
    const locked = await lockNetwork(transaction, network)
    if (locked?.joins !== joins || BigInt(locked.block_number) !== fromBlock - 1n) return false
    await writeEntries(transaction, network, entries)
    await markDue(transaction, network, entries, now)
    await transaction
      .updateTable('ledger_networks')
      .set({ block_number: Number(toBlock), block_at: at, read_at: now })
      .where('network', '=', network)
      .execute()
    return true
  })

/** Earlier final blocks that were read for some accounts. */
export interface EarlierPage extends Omit<LedgerPage, 'joins' | 'at'> {
  readonly accounts: readonly string[]
}

/**
 * Writes a page of accounts that are behind, and how far they were read. Those that have come as far as their network are read
 * with it from then on.
 */
export const recordEarlierPage = (
  database: Kysely<Database>,
  network: number,
  { fromBlock, toBlock, accounts, entries, now }: EarlierPage,
): Promise<void> =>
  database.transaction().execute(async (transaction) => {
    const locked = await lockNetwork(transaction, network)
    if (!locked) return
    const meant = () =>
      transaction
        .updateTable('ledger_accounts')
        .where('network', '=', network)
        .where('account', '=', anyOf(accounts))
        .where('read_to', '>=', Number(fromBlock) - 1)
        .where('read_to', '<=', Number(toBlock))
    const isThere = toBlock >= BigInt(locked.block_number)
    const moved = await meant()
      .set({ read_to: isThere ? null : Number(toBlock), reconcile_at: now })
      .returning('account')
      .execute()
    // A ledger that was reset meanwhile starts anew, without entries.
    const isMoved = new Set(moved.map(({ account }) => account))
    await writeEntries(
      transaction,
      network,
      entries.filter(({ account }) => isMoved.has(account)),
    )
    if (isThere && moved.length > 0)
      await transaction
        .updateTable('ledger_networks')
        .set({ joins: sql`joins + 1` })
        .where('network', '=', network)
        .execute()
  })

/** Accounts whose balances after a block should be compared with their entries now. */
export const findUnreconciled = (
  database: Kysely<Database>,
  network: number,
  { block, now, limit }: { readonly block: bigint; readonly now: Date; readonly limit: number },
) =>
  database
    .selectFrom('ledger_accounts')
    .select('account')
    .where('network', '=', network)
    .where('read_to', 'is', null)
    .where('reconcile_at', '<=', now)
    // A new account may begin after the last block that was read for the others.
    .where(sql<boolean>`coalesce(reconciled_block, -2) <= ${Number(block)}`)
    .orderBy('reconcile_at')
    .limit(limit)
    .execute()

/** What final blocks show of some accounts. */
export interface Reconciliation {
  readonly block: bigint
  readonly at: Date
  /** The balances after `block`, by account. */
  readonly balances: ReadonlyMap<string, Balances>
  /** Accounts of which the node does not know them, and when they are asked for again. */
  readonly unknown: readonly string[]
  readonly retryAt: Date
  /** When each is compared again without a new entry. */
  readonly next: Date
  /** Nothing that was written later counts: their accounts stay due. */
  readonly began: Date
}

/** After all logs of a block. */
const endOfBlock = 2_147_483_647

/**
 * Compares balances with the entries since they were last compared. The difference becomes an entry, so that the entries of an
 * account always add up to what it has: `unexplained`, or `opening` if no balance was known before.
 *
 * @returns the number of accounts with a difference
 */
export const reconcileLedger = (
  database: Kysely<Database>,
  network: number,
  { block, at, balances, unknown, retryAt, next, began }: Reconciliation,
): Promise<number> =>
  database.transaction().execute(async (transaction) => {
    const accounts = [...balances.keys()]
    if (unknown.length > 0)
      await transaction
        .updateTable('ledger_accounts')
        .set({ reconcile_at: retryAt })
        .where('network', '=', network)
        .where('account', '=', anyOf(unknown))
        .execute()
    // `read_to is null` would fit the partial index of what is due, by which a growing table is read as a whole.
    const { rows: ledgers } = await sql<LedgerSums>`
      select account, complete_from, complete_at, reconciled_block, balances, (
        select coalesce(jsonb_object_agg(key, total), '{}') from (
          select holding || ':' || asset as key, sum(amount)::text as total
          from ledger_entries as entry
          where entry.account = ledger.account and entry.network = ledger.network
            and entry.block_number > coalesce(reconciled_block, -2) and entry.block_number <= ${Number(block)}
          group by 1
        ) as sums
      ) as sums
      from ledger_accounts as ledger
      where network = ${network} and account = ${anyOf(accounts)} and coalesce(read_to, -1) = -1
        and coalesce(reconciled_block, -2) <= ${Number(block)}
      order by account for update`.execute(transaction)
    const differences = ledgers.flatMap((ledger) =>
      differencesOf(ledger, balances.get(ledger.account) ?? {}, block, at),
    )
    await writeEntries(transaction, network, differences)
    const compared = ledgers.map(({ account }) => ({ account, balances: balances.get(account) }))
    await sql`
      update ledger_accounts set reconciled_block = ${Number(block)},
        -- A token that the configuration does not name for a while keeps its balance, with which it is compared again.
        balances = ledger_accounts.balances || compared.balances,
        reconcile_at = case when reconcile_at > ${began} then reconcile_at else ${next} end
      from jsonb_to_recordset(${JSON.stringify(compared)}::jsonb) as compared (account text, balances jsonb)
      where ledger_accounts.network = ${network} and ledger_accounts.account = compared.account
        and ledger_accounts.account = ${anyOf(accounts)}`.execute(transaction)
    return new Set(differences.filter(({ kind }) => kind === 'unexplained').map(({ account }) => account))
      .size
  })

interface LedgerSums {
  readonly account: string
  readonly complete_from: number
  readonly complete_at: Date
  readonly reconciled_block: number | null
  readonly balances: Balances
  readonly sums: Balances
}

function differencesOf(ledger: LedgerSums, balances: Balances, block: bigint, at: Date): LedgerEntry[] {
  const { account, complete_from, complete_at, reconciled_block, balances: before, sums } = ledger
  const differences = Object.entries(balances).map(
    ([key, after]) => [key, BigInt(after) - BigInt(before[key] ?? 0) - BigInt(sums[key] ?? 0)] as const,
  )
  if (reconciled_block === null)
    return openingEntries(
      { account, completeFrom: BigInt(complete_from), completeAt: complete_at },
      differences,
    )
  return differences
    .map(([key, amount], part) => ({
      ...{ account, blockNumber: block, logIndex: endOfBlock, part, at, ...holdingOf(key), amount },
      // A token that the configuration did not name before is new to the ledger, and not to the account.
      kind: key in before ? ('unexplained' as const) : ('opening' as const),
      sinceBlock: BigInt(reconciled_block),
    }))
    .filter(({ amount }) => amount !== 0n)
}
