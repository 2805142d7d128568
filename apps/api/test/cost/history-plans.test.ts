/** @module-tag all */
import { testEngines } from '@lanyard/database/testing'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { operationFeatures } from '../../src/app/operation-features.ts'
import { purgeUnsigned } from '../../src/domain/operations/track/purge.ts'
import type { ExplainedStatement } from '../explained-statements.ts'
import type { HistorySize } from './history.ts'
import { startLongHistory } from './long-history.ts'

/** The most rows that one statement may read: twice the last 64 signed operations, plus a margin. */
const maxRows = 200

/** An index of a million rows is four pages deep, and a row is in about twelve indexes. */
const maxPages = 600

const growingTables = [
  ...[
    'operations',
    'relayer_transactions',
    'relayer_transaction_operations',
    'events',
    'sponsorships',
    'orders',
  ],
  'idempotency_keys',
]

type Steps = ReadonlyMap<string, readonly ExplainedStatement[]>

/** Runs one operation from its build to the purge. Its account has a long history, and the service a longer one. */
async function runOperation(size: HistorySize, plans: 'auto' | 'force_generic_plan'): Promise<Steps> {
  await using history = await startLongHistory(size, plans)
  const { step, get, build, submit, untilFinal, explained, walletAddress } = history
  const built = await step('build', build)
  const { userOpHash } = await step('submit', () => submit(built))
  await step('status', () => get(`/smart-account/transaction/status?userOpHash=${userOpHash}`))
  await step('activity', () => get(`/wallet/activity?walletAddress=${walletAddress}`))
  await step('reconciliation', () => untilFinal(userOpHash))
  await step('purge', () => purgeUnsigned(explained.db, operationFeatures, new Date()))
  // The control: this full scan must be detected.
  await step('scan', () => sql.raw(scanned).execute(explained.db))
  return history.steps
}
/** Matches no row and scans the whole table. */
const scanned = 'select from operations where value = -1'

const describeStatement = (step: string, { rows, pages, scanned, text }: ExplainedStatement) =>
  `${step}: ${rows} rows, ${pages} pages, full scan of ${scanned.join(', ') || 'nothing'}: ${text.replace(/\s+/g, ' ')}`

const isCostly = ({ rows, pages, scanned }: ExplainedStatement) =>
  rows > maxRows || pages > maxPages || scanned.some((table) => growingTables.includes(table))

/** Expects that no statement reads more than a few rows, however long the history is. */
async function expectCheap(size: HistorySize, plans: 'auto' | 'force_generic_plan'): Promise<void> {
  const steps = await runOperation(size, plans)
  const costly = [...steps].flatMap(([step, statements]) =>
    statements.filter(isCostly).map((statement) => describeStatement(step, statement)),
  )
  const [scan, ...others] = costly.toSorted((a) => (a.includes(scanned) ? -1 : 1))
  expect(scan).toContain('full scan of operations')
  expect(others).toEqual([])

  const textsOf = (step: string) => (steps.get(step) ?? []).map(({ text }) => text).join('\n')
  expect(textsOf('build')).toContain('insert into operations')
  expect(textsOf('submit')).toContain('insert into relayer_transactions')
  expect(textsOf('purge')).toContain('delete from "operations"')
}

describe.skipIf(!testEngines().includes('postgresql'))(
  'rows of a long history that an operation reads',
  () => {
    // A scan reads a hundred times what is allowed.
    test('behavior: the bound holds with 5,000 operations of the account and 25,000 in total', () =>
      expectCheap({ account: 5_000, all: 25_000 }, 'auto'))

    test(
      'behavior: the bound holds with generic plans, which named statements keep',
      { tags: ['long'] },
      () => expectCheap({ account: 20_000, all: 100_000 }, 'force_generic_plan'),
    )

    test(
      'behavior: the bound holds with 100,000 operations of the account and 1,000,000 in total',
      { tags: ['long'], timeout: 1_800_000 },
      () => expectCheap({ account: 100_000, all: 1_000_000 }, 'auto'),
    )
  },
)
