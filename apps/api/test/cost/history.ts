import { openDatabase } from '@lanyard/database'
import type { TestDatabase } from '@lanyard/database/testing'
import { sql } from 'kysely'

/** The size of the history: operations of one account and of all accounts. */
export interface HistorySize {
  readonly account: number
  readonly all: number
  /** Accounts that share the rest. Default: 50 */
  readonly others?: number
  /** Seconds between two operations. Default: 1 */
  readonly interval?: number
}

/** Milliseconds that the longest of these statements may run. */
const answerTimeout = 1_800_000

const hash = (salt: string) => `'0x' || encode(sha256(('${salt}' || n)::bytea), 'hex')`
const other = (number: string) =>
  `'0x' || substr(encode(sha256(('other' || ${number})::bytea), 'hex'), 1, 40)`

/** Session keys that the account signs every fifth operation with. */
export const sessionKeys = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`)

type Run = (text: string) => Promise<unknown[]>

/**
 * Copies the only operation of a database, with all rows that belong to it, until the history has this size. Every
 * copy is final and has its own nonce. One in ten is dropped, the others are included.
 *
 * @param lanes - number of lanes over which an account's operations are spread
 */
export async function growHistory({ url }: TestDatabase, size: HistorySize, lanes: number): Promise<void> {
  if (!url) throw new TypeError('This fixture needs PostgreSQL')
  const { others = 50 } = size
  await using database = await openDatabase({ url, answerTimeout })
  await database.db.connection().execute(async (connection) => {
    const run: Run = async (text) => (await sql.raw(text).execute(connection)).rows
    await run('set statement_timeout = 0')
    await run('set auto_explain.log_min_duration = -1')
    await run("set maintenance_work_mem = '512MB'")
    // Disables triggers and foreign-key checks. The inserted rows are consistent.
    await run('set session_replication_role = replica')
    await run(`
      insert into users (id, kind, username, username_key, username_skeleton, created_at)
      select md5('user' || n)::uuid, 'eoa', 'other' || n, 'other' || n, 'other' || n, now()
      from generate_series(0, ${others - 1}) as n`)
    await copy(run, 'accounts', [0, others - 1], {
      address: other('n'),
      user_id: "md5('user' || n)::uuid",
      eoa_address: `'0x' || substr(encode(sha256(('owner' || n)::bytea), 'hex'), 1, 40)`,
      // No ledger begins for them, whose first pass would fall into the time of some step.
      signatures: '0',
    })
    const createIndexes = await dropIndexes(run)
    await writeHistory(run, size, lanes)
    for (const create of createIndexes) await run(create)
    await run(`
      insert into idempotency_keys
        (caller, endpoint, key, request_hash, state, claim, claim_expires_at, answer, created_at)
      select 'test', '/smart-account/transaction/submit', n::text, '', 'finished', gen_random_uuid(), now(), '{}', now()
      from generate_series(1, 10000) as n`)
    await run('update event_positions set last = (select max(position) from events)')
    await run('vacuum analyze')
  })
}

/**
 * Drops the indexes of tables that grow by millions of rows. Sorting all entries once is faster than inserting
 * each. Partial indexes stay: they have few of the entries, and the service's passes would scan whole tables without them.
 *
 * @returns the statements that create them again
 */
async function dropIndexes(run: Run): Promise<readonly string[]> {
  const rows = await run(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = any (array['operations', 'relayer_transactions', 'relayer_transaction_operations', 'events', 'sponsorships']::regclass[])
      and indpred is null and not exists (select from pg_constraint where conindid = indexrelid)`)
  const indexes = rows as { name: string; definition: string }[] // the statement selects the columns
  for (const { name } of indexes) await run(`drop index ${name}`)
  return indexes.map(({ definition }) => definition)
}

/** Copies the first row of a table once for each `n`. A column without a change keeps the value of that row. */
async function copy(
  run: Run,
  table: string,
  [first, last]: readonly [number, number],
  changes: Readonly<Record<string, string>>,
): Promise<void> {
  const rows = await run(`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = '${table}' and is_generated = 'NEVER' order by ordinal_position`)
  const columns = (rows as { name: string }[]).map(({ name }) => name) // the statement selects the columns
  await run(`
    insert into ${table} (${columns.join()}) overriding system value
    select ${columns.map((name) => changes[name] ?? `one.${name}`).join()}
    from (select * from ${table} order by ctid limit 1) as one, generate_series(${first}, ${last}) as n`)
}

async function writeHistory(
  run: Run,
  { account, all, others = 50, interval = 1 }: HistorySize,
  lanes: number,
): Promise<void> {
  const range = [1, all] as const
  const at = `now() - make_interval(secs => (${all} - n) * ${interval} + 7200)`
  const owner = `case when n <= ${account} then one.account else ${other(`n % ${others}`)} end`
  const sequence = `((case when n <= ${account} then n - 1 else (n - ${account} - 1) / ${others} end) / ${lanes})`
  const bySession = `n <= ${account} and n % 5 = 1`
  const ifIncluded = (value: string) => `case when n % 10 = 0 then null else ${value} end`
  const fromFirst = '(select * from operations order by ctid limit 1) as one'
  const place = { block_number: 'n', block_hash: hash('block') }
  await copy(run, 'operations', range, {
    user_op_hash: hash('operation'),
    account: owner,
    nonce_key: `n % ${lanes}`,
    nonce_sequence: sequence,
    deploys: 'false',
    safe_op_hash: hash('safe'),
    signature: `'0x' || repeat('00', 12) || ${hash('r')} || substr(${hash('s')}, 3) || '1b'`,
    state: "case when n % 10 = 0 then 'dropped' else 'included' end",
    txn_hash: ifIncluded(hash('transaction')),
    block_number: ifIncluded(place.block_number),
    block_hash: ifIncluded(place.block_hash),
    built_at: at,
    build_expires_at: `${at} + interval '10 minutes'`,
    signed_at: at,
    included_at: ifIncluded(at),
    sign_mode: `case when ${bySession} then 'SESSION_KEY' else one.sign_mode end`,
    session_key: `case when ${bySession} then
      jsonb_build_object('key', '0x' || repeat((n % ${sessionKeys.length} + 1)::text, 40)) end`,
  })
  const txn_hash = hash('transaction')
  const bundle = { txn_hash, nonce: 'n - 1', audited: 'true', raw: "''", created_at: at, ...place }
  await copy(run, 'relayer_transactions', range, bundle)
  await copy(run, 'relayer_transaction_operations', range, { txn_hash, user_op_hash: hash('operation') })
  // Older events are deleted.
  const month = Math.floor((29 * 86_400) / interval)
  await copy(run, 'events', [Math.max(1, all - month), all], {
    ...{ id: '1000 + n', position: '1000 + n', account: owner, created_at: at },
    type: "case when n % 10 = 0 then 'operation.dropped' else 'operation.included' end",
    data: `one.data || jsonb_build_object('userOpHash', ${hash('operation')})`,
  })
  await run(`
    insert into sponsorships
      (user_op_hash, network, account, kind, caller, day, reserved, charged, valid_until, built_at_block, created_at)
    select ${hash('operation')}, one.network, ${owner}, 'sponsored', 'test', '2026-01-01', 1, 1, 1, n, ${at}
    from ${fromFirst}, generate_series(${range.join()}) as n`)
  await run(`
    insert into orders
      (order_id, account, output_network, type, amount, fee, total, claim_amount, withdrawal_amount, withdrawal_fee,
       withdrawal_state, nonce_key, nonce_sequence, signer_id, gas_budget, state, reserved_at, expires_at,
       user_op_hash, closed_at)
    select ${hash('order')}, ${owner}, one.network, 'AMOUNT_OUT', 2, 1, 3, 2, 0, 0,
      'none', n % ${lanes}, ${sequence}, '0x', 1, 'SETTLED', ${at}, now(), ${hash('operation')}, now()
    from ${fromFirst}, generate_series(${range.join()}, 10) as n`)
}
