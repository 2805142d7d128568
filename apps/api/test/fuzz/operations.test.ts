/** @module-tag all */
/** @module-tag longer */
// @promise 11
import { reportFigure } from '@lanyard/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from './document.ts'
import { forAll } from './for-all.ts'
import { type Fixture, startFixture } from './fuzz-fixture.ts'
import { createFuzzer, type Fuzzer } from './fuzzer.ts'
import { expectConsistent } from './invariants.ts'
import { restRequests } from './rest-requests.ts'
import { settings } from './settings.ts'
import { strangeTrpcRequests, trpcBatches, trpcRequests } from './trpc-requests.ts'

/** The number of requests for each operation of the document, over REST and over tRPC. */
const overRest = 24
const overTrpc = 12

let fixture: Fixture
let fuzzer: Fuzzer
beforeAll(async () => {
  console.info(`FUZZ_SEED=${settings.seed}`)
  fixture = await startFixture()
  fuzzer = createFuzzer(fixture)
  fuzzer.takeLoggedErrors()
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

describe.each(operations)('$id answers as documented', (operation) => {
  test('over REST', { timeout: settings.timeout }, () =>
    forAll(restRequests(operation), {
      runs: overRest,
      kind: 'rest',
      check: async (request) => void (await fuzzer.rest(operation, request)),
    }),
  )

  test('over tRPC', { timeout: settings.timeout }, () =>
    forAll(trpcRequests(operation), {
      runs: overTrpc,
      kind: 'trpc',
      check: (request) => fuzzer.trpc(request),
    }),
  )
})

describe('tRPC', () => {
  test('behavior: each call of a batch is answered like a single call', { timeout: settings.timeout }, () =>
    forAll(trpcBatches, { runs: 100, kind: 'trpc', check: (request) => fuzzer.trpc(request) }),
  )

  test('behavior: malformed calls are rejected', { timeout: settings.timeout }, () =>
    forAll(strangeTrpcRequests, {
      runs: 200,
      kind: 'strangeTrpc',
      check: (request) => fuzzer.strangeTrpc(request),
    }),
  )
})

describe('after all requests', () => {
  test('behavior: every operation of the document was called', () => {
    const least = settings.runs(overRest) + settings.runs(overTrpc)
    const missed = operations.filter(({ id }) => (fuzzer.tallies.get(id)?.calls ?? 0) < least)
    expect(missed.map(({ id }) => id)).toEqual([])
    reportFigure(11, 'fuzz cases run', fuzzer.cases())
    reportFigure(11, 'operations reached', fuzzer.tallies.size)
  })

  test('behavior: only signed operations were sent', () => expectConsistent(fixture))
})
