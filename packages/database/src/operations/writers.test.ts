import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../../..')

const write =
  /\.(?:updateTable|insertInto|deleteFrom|mergeInto|replaceInto)\(\s*['"`]operations\b|\b(?:update|insert\s+into|delete\s+from|merge\s+into|truncate)\s+(?:table\s+)?"?operations\b/i

/** Files of a service or a package, except tests, that write the table. */
const writersIn = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: (name) => name === 'node_modules' || name === 'dist' })
    .filter((path) => !/\.test\.ts$/.test(path))
    .filter((path) => write.test(readFileSync(join(root, path), 'utf8')))
    .sort()

const store = 'packages/database/src/operations/'

test('behavior: only the store writes operations', () => {
  const writers = writersIn('{apps,packages,tools,examples}/*/src/**/*.ts')
  const others = writers.filter(
    (path) => !path.startsWith(store) && !path.startsWith('packages/database/src/migrations/'),
  )
  expect(others, 'Add a named transition to the store, and call it').toEqual([])
  // The search does find the permitted writers.
  expect(writers.filter((path) => path.startsWith(store)).length).toBeGreaterThan(5)
})

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
