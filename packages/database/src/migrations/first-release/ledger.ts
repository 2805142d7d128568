import { type Kysely, sql } from 'kysely'

/**
 * What moved money of an account, as final blocks show it: complete from a block on, and kept forever. How far each account and
 * network was read stands in the same database, so that a restored backup continues where its entries end.
 */
export async function createLedger(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ledger_networks (
      network int8 primary key,
      -- All accounts that are read together are complete up to this block.
      block_number int8 not null,
      block_at timestamptz not null,
      -- Counts the accounts that joined, so that a page that was read without one is not written.
      joins int8 not null default 0,
      read_at timestamptz not null,
      next_read_at timestamptz not null
    )`.execute(db)
  await sql`
    create table ledger_accounts (
      account text collate "C" not null references accounts (address),
      network int8 not null,
      complete_from int8 not null,
      complete_at timestamptz not null,
      -- Null: read together with the network's other accounts.
      read_to int8,
      -- The last block whose balances agree with the entries, and those balances, by holding and asset.
      reconciled_block int8,
      balances jsonb not null default '{}',
      reconcile_at timestamptz not null,
      primary key (account, network)
    )`.execute(db)
  await sql`create index ledger_accounts_behind on ledger_accounts (network, read_to) where read_to is not null`.execute(
    db,
  )
  await sql`create index ledger_accounts_due on ledger_accounts (network, reconcile_at) where read_to is null`.execute(
    db,
  )
  await sql`
    create table ledger_entries (
      account text collate "C" not null,
      network int8 not null,
      block_number int8 not null,
      log_index int4 not null,
      -- One log can move several amounts.
      part int4 not null,
      at timestamptz not null,
      kind text not null check (kind in (
        'opening', 'transfer_in', 'transfer_out', 'deposit', 'withdrawal', 'withdrawal_fee', 'exit',
        'order_credit', 'order_debit', 'fee', 'gas_withdrawal', 'unexplained'
      )),
      holding text not null check (holding in ('account', 'smart_balance')),
      -- 'native', or the token's address.
      asset text collate "C" not null,
      amount numeric(78, 0) not null,
      counterparty text collate "C",
      txn_hash text,
      user_op_hash text,
      order_hash text,
      gas_cost numeric(78, 0),
      payer text,
      -- Of what no log explains: it happened after this block.
      since_block int8,
      primary key (account, network, block_number, log_index, part)
    )`.execute(db)
  // The order of an export, over all networks.
  await sql`
    create index ledger_entries_by_time on ledger_entries (account, at, network, block_number, log_index, part)`.execute(
    db,
  )
  // What an account received, newest first. Whoever makes an account send many transfers does not slow it.
  await sql`
    create index ledger_entries_received on ledger_entries (account, network, block_number desc, log_index desc, part desc)
    where holding = 'account' and amount > 0 and txn_hash is not null`.execute(db)
}
