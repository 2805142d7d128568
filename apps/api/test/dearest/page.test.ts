import { expect, test } from 'vitest'
import { operations } from '../fuzz/document.ts'
import { readRows } from './page.ts'

test('behavior: docs/dearest-requests.md has a row for each endpoint, and for no other', () => {
  expect([...readRows().keys()].toSorted()).toEqual(operations.map(({ path }) => path).toSorted())
})
