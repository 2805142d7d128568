/** @module-tag longer */
import { reportFigure } from '@lanyard/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from './document.ts'
import { forAll } from './for-all.ts'
import { createHarness, type Harness } from './harness.ts'
import { expectConsistent } from './invariants.ts'
import { restRequests } from './rest-requests.ts'
import { type Scene, startScene } from './scene.ts'
import { settings } from './settings.ts'
import { strangeTrpcRequests, trpcBatches, trpcRequests } from './trpc-requests.ts'

/** Requests for each operation of the document: over REST, and over tRPC. */
const overRest = 24
const overTrpc = 12

let scene: Scene
let harness: Harness
beforeAll(async () => {
  console.info(`FUZZ_SEED=${settings.seed}`)
  scene = await startScene()
  harness = createHarness(scene)
  harness.unexpectedError()
})
afterAll(() => scene?.[Symbol.asyncDispose]())

describe.each(operations)('$id answers within its document', (operation) => {
  test('over REST', { timeout: settings.timeout }, () =>
    forAll(restRequests(operation), {
      runs: overRest,
      kind: 'rest',
      check: async (request) => void (await harness.rest(operation, request)),
    }),
  )

  test('over tRPC', { timeout: settings.timeout }, () =>
    forAll(trpcRequests(operation), {
      runs: overTrpc,
      kind: 'trpc',
      check: (request) => harness.trpc(request),
    }),
  )
})

describe('tRPC', () => {
  test('behavior: each call of a batch is answered as if it were alone', { timeout: settings.timeout }, () =>
    forAll(trpcBatches, { runs: 100, kind: 'trpc', check: (request) => harness.trpc(request) }),
  )

  test('behavior: what is no call is refused', { timeout: settings.timeout }, () =>
    forAll(strangeTrpcRequests, {
      runs: 200,
      kind: 'strangeTrpc',
      check: (request) => harness.strangeTrpc(request),
    }),
  )
})

describe('after all of that', () => {
  test('behavior: every operation of the document was called', () => {
    const least = settings.runs(overRest) + settings.runs(overTrpc)
    const missed = operations.filter(({ id }) => (harness.tallies.get(id)?.calls ?? 0) < least)
    expect(missed.map(({ id }) => id)).toEqual([])
    reportFigure(11, 'fuzz cases run', harness.cases())
    reportFigure(11, 'operations reached', harness.tallies.size)
  })

  test('behavior: nothing was signed, sent or spent that nobody signed', () => expectConsistent(scene))
})
