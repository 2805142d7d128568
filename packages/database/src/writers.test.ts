import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

/** The tables that change by named transitions only, and the folder of the store that has them. */
const stores = {
  operations: ['operations'],
  orders: ['orders', 'order_operations', 'order_debits'],
  ledger: ['ledger_networks', 'ledger_accounts', 'ledger_entries'],
  sponsorships: ['sponsorships', 'sponsorship_days', 'sponsorship_suspensions'],
  transactions: ['relayer_transactions'],
  users: ['users', 'accounts', 'imported_accounts'],
} as const

/** One statement each writes an operation and what belongs to it: its bundle, the account's counters. */
const together: Readonly<Record<string, readonly string[]>> = {
  transactions: ['bundle-queue', 'record-inclusion'],
  users: ['insert-build', 'record-signature'],
}

const writeOf = (tables: readonly string[]) => {
  const names = `(?:${tables.join('|')})\\b`
  return new RegExp(
    `\\.(?:updateTable|insertInto|deleteFrom|mergeInto|replaceInto)\\(\\s*['"\`]${names}` +
      `|\\b(?:update|insert\\s+into|delete\\s+from|merge\\s+into|truncate)\\s+(?:table\\s+)?"?${names}`,
    'i',
  )
}

/** Files of a service or a package, except tests, that write one of the tables. Benches fill databases of their own. */
const writersIn = (pattern: string, write: RegExp) =>
  globSync(pattern, { cwd: root, exclude: (name) => name === 'node_modules' || name === 'dist' })
    .filter((path) => !/\.test\.ts$/.test(path))
    .filter((path) => write.test(readFileSync(join(root, path), 'utf8')))
    .sort()

test.for(Object.entries(stores))('behavior: only the store writes %s', ([folder, tables]) => {
  const store = `packages/database/src/${folder}/`
  const writers = writersIn('{apps,packages,examples}/*/src/**/*.ts', writeOf(tables))
  const permitted = (together[folder] ?? []).map((name) => `packages/database/src/operations/${name}.ts`)
  const others = writers.filter(
    (path) =>
      !path.startsWith(store) &&
      !path.startsWith('packages/database/src/migrations/') &&
      !permitted.includes(path),
  )
  expect(others, 'Add a named transition to the store, and call it').toEqual([])
  // The search does find the permitted writers.
  expect(writers.filter((path) => path.startsWith(store)).length).toBeGreaterThan(1)
})

const write = writeOf(stores.operations)

test.for([
  "db.updateTable('operations').set(change)",
  "db.insertInto(\n  'operations as o')",
  "db.deleteFrom('operations')",
  'sql`update operations set state = 1`',
  'sql`insert into "operations" values (1)`',
])('behavior: finds %j', (text) => {
  expect(text).toMatch(write)
})

test.for([
  "db.selectFrom('operations')",
  "db.updateTable('order_operations')",
  'delete from order_operations',
])('behavior: ignores %j', (text) => {
  expect(text).not.toMatch(write)
})
