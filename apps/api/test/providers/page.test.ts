import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expectedOutcomes } from './expected-outcomes.ts'
import { renderTable } from './render-table.ts'

const page = await readFile(join(import.meta.dirname, '../../../../docs/providers.md'), 'utf8')

test('behavior: docs/providers.md has the outcomes that providers.test.ts expects', () => {
  expect(page).toContain(renderTable())
})

test('behavior: docs/providers.md explains each reason', () => {
  const reasons = new Set(Object.values(expectedOutcomes).flatMap((outcomes) => Object.values(outcomes)))
  for (const reason of reasons) expect(page).toContain(`- \`${reason}\`: `)
})
