// @promise 11
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
 * Each request that once broke a promise is a file in `corpus/`. Every run sends it, independent of the seed. A
 * failing fuzz test prints its smallest request in the line "For corpus/: {…}". Save that JSON as
 * `corpus/<name>.json`, describe the problem in `what`, check that this test fails, and fix the service.
 */

let fixture: Fixture
let fuzzer: Fuzzer
let runCeremony: Awaited<ReturnType<typeof createCeremonies>>
beforeAll(async () => {
  fixture = await startFixture()
  fuzzer = createFuzzer(fixture)
  fuzzer.takeLoggedErrors()
  runCeremony = await createCeremonies(fixture, fuzzer)
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

reportPassed(11, 'requests that once broke something', (title) => title.startsWith('behavior: '))

/** The kind of a case determines the type of its request. */
async function replay({ kind, case: entry }: CorpusCase): Promise<void> {
  switch (kind) {
    case 'ceremony':
      await runCeremony(entry as Ceremony)
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

test('behavior: the corpus signs, sends and spends nothing', () => expectConsistent(fixture))

test('default: the corpus has more than 20 cases', () => expect(corpus.length).toBeGreaterThan(20))
