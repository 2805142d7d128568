/**
 * `pnpm bench scaling [--rows N] [--operations N]`: measures the figures of docs/scaling.md. It prints them
 * and changes no file; docs/scaling.md names its run.
 */
import { parseArgs } from 'node:util'
import { openDatabase } from '@lanyard/database'
import { startPostgres } from '../programs/postgres.ts'
import { describeMachine } from '../report/machine.ts'
import { carryOperations } from './carried-operations.ts'
import { measureRows, type RowSize } from './copied-rows.ts'
import { createStatementLog } from './statement-log.ts'

/** Small enough for a few minutes. The figures hardly depend on it, since they are averages per row. */
const defaults = { rows: '20000', operations: '10' } as const

const secondsADay = 86_400
const rates = [10, 1_000, 100_000] as const

/** Time-out in milliseconds: a million rows with their indexes are one statement. */
const answerBound = 1_800_000

/** @returns false if there is no PostgreSQL */
export async function measureScaling(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: 'string', default: defaults.rows },
      operations: { type: 'string', default: defaults.operations },
    },
  })
  const rows = countOf('--rows', values.rows)
  const operations = countOf('--operations', values.operations)
  await using postgres = await startPostgres()
  if (!postgres) {
    console.error('This needs PostgreSQL: initdb and postgres, on the path or where packages put them.')
    return false
  }
  const url = await postgres.fresh()
  await using database = await openDatabase({ url, maxConnections: 1, answerBound })
  const client = await database.pool?.connect()
  if (!client) throw new TypeError('It is a PostgreSQL')
  try {
    await client.query(`alter database ${new URL(url).pathname.slice(1)} set log_statement = 'all'`)
    await client.query(`set log_statement = 'none'`) // this connection's statements are not counted
    // nor do they have the time-out of the service's statements
    await client.query('set statement_timeout = 0')
    const statements = createStatementLog(url)
    const carried = await carryOperations(url, operations, { client, statements })
    const sizes = await measureRows(client, rows)
    print({ rows, operations, ...carried, sizes })
  } finally {
    client.release()
  }
  return true
}

function countOf(option: string, text: string): number {
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text)
  throw new TypeError(`${option} takes a whole number from 1`)
}

interface Measured extends Awaited<ReturnType<typeof carryOperations>> {
  readonly rows: number
  readonly operations: number
  readonly sizes: readonly RowSize[]
}

function print({ rows, operations, idle, perOperation, sizes }: Measured): void {
  const number = (value: number, digits = 0) =>
    value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits })
  console.log(`${new Date().toISOString().slice(0, 10)}, ${describeMachine()}`)
  console.log(`${number(operations)} operations, ${number(rows)} rows of each table\n`)
  console.log('| Measured | |\n|---|---:|')
  console.log(`| SQL statements from build to final | ${number(perOperation)} |`)
  console.log(`| Statements a second of an idle process | ${number(idle, 1)} |`)
  for (const { table, bytes, ofIndexes } of sizes) {
    console.log(`| Row of ${table} | ${number(bytes)} B, ${number(ofIndexes)} B of them indexes |`)
  }
  const sumOf = (...names: readonly RowSize['table'][]) =>
    sizes.filter(({ table }) => names.includes(table)).reduce((sum, { bytes }) => sum + bytes, 0)
  const operation = sumOf('operations', 'relayer_transactions', 'relayer_transaction_operations')
  const account = sumOf('users', 'accounts')
  console.log('\n| Derived | |\n|---|---:|')
  console.log(`| Bytes an operation, alone in its bundle | ${number(operation)} |`)
  console.log(`| Bytes an account | ${number(account)} |`)
  console.log(`| 100 million accounts | ${number((account * 1e8) / 1e9)} GB |`)
  for (const rate of rates) {
    const gigabytes = (operation * rate * secondsADay) / 1e9
    console.log(
      `| ${number(rate)} operations a second | ${number(perOperation * rate)} statements a second, ${number(gigabytes, 1)} GB a day |`,
    )
  }
}
