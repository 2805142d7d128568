import { reportPassed } from '@lanyard/testing/report-passed'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ceremony, createCeremonies } from './ceremonies.ts'
import { type CorpusCase, readCorpus } from './corpus.ts'
import { operationOf } from './document.ts'
import { createHarness, type Harness } from './harness.ts'
import { expectConsistent } from './invariants.ts'
import { judgeRaw, type RawRequest } from './judge-raw.ts'
import type { RestRequest, TrpcRequest } from './request.ts'
import { type Scene, startScene } from './scene.ts'

/*
 * What broke a promise once is kept as a file of `corpus/` and sent in every run, whatever the seed. When a fuzzed test
 * fails, it prints the smallest request as the line "For corpus/: {…}": save that JSON as `corpus/<what-it-is>.json`,
 * say in `what` what went wrong, see that this test fails, and fix the service.
 */

let scene: Scene
let harness: Harness
let hold: Awaited<ReturnType<typeof createCeremonies>>
beforeAll(async () => {
  scene = await startScene()
  harness = createHarness(scene)
  harness.unexpectedError()
  hold = await createCeremonies(scene, harness)
}, 120_000)
afterAll(() => scene?.[Symbol.asyncDispose]())

reportPassed(11, 'requests that once broke something', (title) => title.startsWith('behavior: '))

/** The shape of a case is that of the arbitrary that it came from, as its kind says. */
async function replay({ kind, case: fixture }: CorpusCase): Promise<void> {
  switch (kind) {
    case 'ceremony':
      await hold(fixture as Ceremony)
      return
    case 'raw':
      await judgeRaw({ port: scene.service.service.port, logged: scene.logged }, fixture as RawRequest)
      return
    case 'rest': {
      const request = fixture as RestRequest
      await harness.rest(operationOf(request.operation), request)
      return
    }
    case 'trpc':
      return harness.trpc(fixture as TrpcRequest)
    case 'strangeTrpc':
      return harness.strangeTrpc(fixture as TrpcRequest)
  }
}

const corpus = readCorpus()

test.each(corpus.map((fixture) => [fixture.name, fixture] as const))('behavior: %s', (_name, fixture) =>
  replay(fixture),
)

test('behavior: nothing was signed, sent or spent by it', () => expectConsistent(scene))

test('default: there is a corpus', () => expect(corpus.length).toBeGreaterThan(20))
