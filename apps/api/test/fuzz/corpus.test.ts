import { reportPassed } from '@lanyard/testing/report-passed'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ceremony, createCeremonies } from './ceremonies.ts'
import { type CorpusCase, readCorpus } from './corpus.ts'
import { operationOf } from './document.ts'
import { type Fixture, startFixture } from './fuzz-fixture.ts'
import { createFuzzer, type Fuzzer } from './fuzzer.ts'
import { expectConsistent } from './invariants.ts'
import { judgeRaw, type RawRequest } from './judge-raw.ts'
import type { RestRequest, TrpcRequest } from './request.ts'

/*
 * What broke a promise once is kept as a file of `corpus/` and sent in every run, whatever the seed. When a fuzzed test
 * fails, it prints the smallest request as the line "For corpus/: {…}": save that JSON as `corpus/<what-it-is>.json`,
 * say in `what` what went wrong, see that this test fails, and fix the service.
 */

let fixture: Fixture
let fuzzer: Fuzzer
let hold: Awaited<ReturnType<typeof createCeremonies>>
beforeAll(async () => {
  fixture = await startFixture()
  fuzzer = createFuzzer(fixture)
  fuzzer.unexpectedError()
  hold = await createCeremonies(fixture, fuzzer)
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

reportPassed(11, 'requests that once broke something', (title) => title.startsWith('behavior: '))

/** The shape of a case is that of the arbitrary that it came from, as its kind says. */
async function replay({ kind, case: entry }: CorpusCase): Promise<void> {
  switch (kind) {
    case 'ceremony':
      await hold(entry as Ceremony)
      return
    case 'raw':
      await judgeRaw({ port: fixture.service.service.port, logged: fixture.logged }, entry as RawRequest)
      return
    case 'rest': {
      const request = entry as RestRequest
      await fuzzer.rest(operationOf(request.operation), request)
      return
    }
    case 'trpc':
      return fuzzer.trpc(entry as TrpcRequest)
    case 'strangeTrpc':
      return fuzzer.strangeTrpc(entry as TrpcRequest)
  }
}

const corpus = readCorpus()

test.each(corpus.map((entry) => [entry.name, entry] as const))('behavior: %s', (_name, entry) =>
  replay(entry),
)

test('behavior: nothing was signed, sent or spent by it', () => expectConsistent(fixture))

test('default: there is a corpus', () => expect(corpus.length).toBeGreaterThan(20))
