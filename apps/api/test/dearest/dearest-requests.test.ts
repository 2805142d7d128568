/** @module-tag long */
import process from 'node:process'
import { endpoints } from '@lanyard/contracts'
import { testEngines } from '@lanyard/database/testing'
import { expect, test } from 'vitest'
import { ampleLimits } from '../ample-limits.ts'
import { operations } from '../fuzz/document.ts'
import { startFixture } from '../fuzz/fuzz-fixture.ts'
import type { WireRequest } from '../fuzz/send.ts'
import { describeCandidate } from './changes.ts'
import { createMeter } from './meter.ts'
import { otherTransports } from './other-transports.ts'
import { type Found, type Measuring, milliseconds, writePage } from './page.ts'
import { searchDearest } from './search.ts'

const {
  DEAREST_SEED: seed = '20261125',
  /** How long the search is, compared with the usual one. */
  DEAREST_FACTOR: factor = '1',
  /** Operations, separated by commas. */
  DEAREST_ONLY: only,
  DEAREST_PAGE: isWritten,
} = process.env

const searched = [...operations, ...otherTransports].filter(
  ({ id }) => only === undefined || only.split(',').includes(id),
)

/** Milliseconds above which a rejection of at most 256 KiB is too dear for a quiet machine; a busy one takes longer. */
const feesTooHigh = 50

test('the dearest requests of every endpoint', { timeout: 7_200_000 }, async () => {
  const engine = testEngines().at(-1) ?? 'pglite'
  await using fixture = await startFixture({ ...ampleLimits, TRUST_PROXY: '1' }, engine)
  const { metrics, log } = fixture.service.service.services
  log.level = 'info' // as in production: a debug line of a rejection repeats its cause, with the body
  await using meter = createMeter(fixture.url, async () => {
    const sums = (await metrics.text()).matchAll(/^lanyard_cost_seconds_total\{[^}]*\} ([\d.e+-]+)/gm)
    return [...sums].reduce((sum, [, value]) => sum + Number(value), 0)
  })
  let address = 0
  /** Each request comes from another address, so that no limit of a caller ends the search. */
  const measure = (wire: WireRequest) => {
    address++
    const from = `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`
    return meter.measure({ ...wire, headers: { 'x-forwarded-for': from, ...wire.headers } })
  }
  /** 405: a rejection without a body or a statement. */
  const wrongMethod = { method: 'GET', path: endpoints.smartAccount.build.path, headers: {}, body: undefined }
  const times: number[] = []
  /** Between the searches, so that neither a cold start nor a busy moment counts. */
  async function measureLeast(): Promise<Measuring> {
    for (let count = 0; count < 20; count++) times.push((await measure(wrongMethod)).processor)
    return { seed: Number(seed), engine, factor: Number(factor), least: median(times) }
  }
  const found: Found[] = []
  for (const operation of searched) {
    const dearest = await searchDearest(operation, {
      seed: Number(seed),
      drawn: Math.ceil(60 * Number(factor)),
      steps: Math.ceil(60 * Number(factor)),
      known: fixture.known,
      measure,
    })
    found.push({ operation, ...dearest })
    for (const one of [dearest.answered, dearest.refused]) {
      if (one) console.info(`${operation.id}: ${lineOf(one)}`)
    }
    fixture.logged.splice(0)
    const measuring = await measureLeast()
    if (isWritten) writePage(found.filter(isDocumented), operations, measuring)
  }
  console.info(`405: ${milliseconds(median(times))} ms, on ${engine}`)
  const rejected = found
    .flatMap(({ operation, refused: one }) => (one ? [{ operation, one }] : []))
    .toSorted((a, b) => b.one.processor - a.one.processor)
  const lines = rejected
    .slice(0, 10)
    .map(({ operation, one }, index) => `${index + 1}. ${operation.id}: ${lineOf(one)}`)
  console.info(['The dearest rejected requests:', ...lines].join('\n'))
  expect(found).toHaveLength(searched.length)
  expect(
    rejected.filter(({ one }) => one.processor > feesTooHigh).map(({ operation }) => operation.id),
  ).toEqual([])
})

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const isDocumented = ({ operation }: Found) => operations.includes(operation)

const lineOf = ({ processor, charged, status, code, bytes, candidate }: NonNullable<Found['refused']>) =>
  `${milliseconds(processor)} ms (charged ${milliseconds(charged)}), ${status} ${code}, ${bytes} bytes: ${describeCandidate(candidate)}`
