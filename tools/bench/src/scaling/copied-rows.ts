import type { OpenDatabase } from '@lanyard/database'

type Client = Pick<NonNullable<OpenDatabase['pool']>, 'query'>

/** An SQL expression with 64 hex digits for each copy, different for each table. */
const hash = (salt: string) => `'0x' || encode(sha256(('${salt}' || n)::bytea), 'hex')`
const address = (salt: string) => `left(${hash(salt)}, 42)`
const uuid = "md5('user' || n)::uuid"
const name = "md5('name' || n)::uuid::text"

/**
 * The tables that grow with operations and users, ordered so that each finds the rows that it references,
 * with the columns that differ between copies. All other columns are copied from a real row.
 */
const tables = {
  users: { id: uuid, username: name, username_key: name, username_skeleton: name },
  accounts: { address: address('account'), user_id: uuid, eoa_address: address('eoa') },
  operations: {
    user_op_hash: hash('operation'),
    account: address('account'),
    safe_op_hash: hash('safe'),
    signature: `'0x' || repeat('00', 12) || ${['r', 's'].map((part) => `substr(${hash(part)}, 3)`).join(' || ')} || '1b'`,
    txn_hash: hash('transaction'),
    nonce_sequence: '1000000 + n',
  },
  relayer_transactions: { txn_hash: hash('transaction'), nonce: '1000000 + n' },
  relayer_transaction_operations: { txn_hash: hash('transaction'), user_op_hash: hash('operation') },
} as const

type Table = keyof typeof tables
const tableNames = Object.keys(tables) as Table[] // its own keys

/** The disk space of one row, in bytes. */
export interface RowSize {
  readonly table: Table
  /** Including indexes. */
  readonly bytes: number
  readonly ofIndexes: number
}

/**
 * Copies one real row of each table `rows` times, and asks the server for the disk space.
 *
 * @param client - the only connection to the database by now
 */
export async function measureRows(client: Client, rows: number): Promise<readonly RowSize[]> {
  const sizes: RowSize[] = []
  for (const table of tableNames) {
    const before = await sizeOf(client, table)
    await copyRows(client, table, { first: 1, last: rows })
    const after = await sizeOf(client, table)
    sizes.push({
      table,
      bytes: (after.total - before.total) / rows,
      ofIndexes: (after.indexes - before.indexes) / rows,
    })
  }
  return sizes
}

/** Copies one real row of each table, with keys made from these numbers. */
export async function growTables(
  client: Client,
  range: { readonly first: number; readonly last: number },
): Promise<void> {
  for (const table of tableNames) await copyRows(client, table, range)
}

async function copyRows(
  client: Client,
  table: Table,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<void> {
  const changes: Readonly<Record<string, string>> = tables[table]
  const columns = await columnsOf(client, table)
  const values = columns.map((column) => changes[column] ?? `one.${column}`)
  await client.query(
    `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')}
     from (select * from ${table} order by ctid limit 1) as one, generate_series(${first}, ${last}) as n`,
  )
}

async function columnsOf(client: Client, table: Table): Promise<readonly string[]> {
  const { rows } = await client.query(
    `select column_name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  )
  return rows.map(({ column_name }: { column_name: string }) => column_name)
}

/** Vacuums first, so that pending entries are moved into the indexes. */
async function sizeOf(client: Client, table: Table) {
  await client.query(`vacuum ${table}`)
  const { rows } = await client.query(
    `select pg_total_relation_size('${table}')::float8 as total, pg_indexes_size('${table}')::float8 as indexes`,
  )
  const [size]: { total: number; indexes: number }[] = rows
  if (!size) throw new TypeError('The server names a size')
  return size
}
