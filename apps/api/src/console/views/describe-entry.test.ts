import { expect, test } from 'vitest'
import type { AuditEntry } from '../../platform/audit/entry.ts'
import { describeEntry } from './describe-entry.ts'

const entry: AuditEntry = {
  ...{ position: 1, at: '2026-01-01T00:00:00.000Z', actor: 'console:Anna', source: 'address ::1' },
  ...{ act: 'policies.edit', subject: '1', before: null, after: null, previousHash: '0', hash: '1' },
}
const words = { names: new Map<number, string>(), symbol: 'ETH' }
const changesOf = (act: string, before: unknown, after: unknown) =>
  describeEntry({ ...entry, act, before, after }, words).changes

test('behavior: an edit with a new policy shows its place', () => {
  const added = { id: 'two', effect: 'deny' }
  expect(
    changesOf('policies.edit', { order: ['one'], changed: [] }, { order: ['two', 'one'], changed: [added] }),
  ).toMatchObject([
    { of: 'two', path: 'effect', added: ['denies'] },
    { path: 'order', removed: ['one'], added: ['two, one'] },
  ])
})

test('behavior: values with the same text are told apart', () => {
  expect(changesOf('key.create', { limit: null }, { limit: 'null' })).toMatchObject([
    { path: 'limit', removed: ['null'], added: ['null'] },
  ])
  expect(changesOf('key.create', { ids: [1, 2] }, { ids: ['1', 2] })).toMatchObject([
    { path: 'ids', removed: ['1'], added: ['1'] },
  ])
})
