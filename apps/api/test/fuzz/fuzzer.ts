import type { FuzzedOperation } from './document.ts'
import { expectNone } from './for-all.ts'
import type { Fixture } from './fuzz-fixture.ts'
import { judgeRest } from './oracle.ts'
import type { FuzzRequest, RestRequest, TrpcRequest } from './request.ts'
import { type FuzzAnswer, onWire, send } from './send.ts'
import { collectStream, judgeStrangeTrpc, judgeTrpc, openEnvelopes } from './trpc-oracle.ts'
import { calledBy } from './trpc-requests.ts'

/** pino's number for "error". */
const errorLevel = 50

/** How often an operation was called, and what it answered. */
interface Tally {
  readonly calls: number
  /** The number of answers by code. `OK` stands for status 200. */
  readonly codes: ReadonlyMap<string, number>
}

/** Sends requests to a fixture and judges every answer. */
export function createFuzzer(fixture: Fixture) {
  const tallies = new Map<string, { calls: number; codes: Map<string, number> }>()
  let cases = 0

  function count({ id }: FuzzedOperation, { status, body }: { status: number; body: unknown }) {
    const tally = tallies.get(id) ?? { calls: 0, codes: new Map() }
    const code = status === 200 ? 'OK' : String(Reflect.get(Object(body), 'code') ?? status)
    tally.calls++
    tally.codes.set(code, (tally.codes.get(code) ?? 0) + 1)
    tallies.set(id, tally)
  }

  /** Returns the error lines that were logged since the last call. */
  function takeLoggedErrors(): readonly string[] {
    const lines = fixture.logged.splice(0)
    return lines
      .filter(({ level }) => Number(level) >= errorLevel)
      .map((line) => `the log says ${JSON.stringify(line).slice(0, 1_500)}`)
  }

  async function sendRequest(request: FuzzRequest) {
    cases++
    const wire = onWire(request, fixture.known)
    const answer = await collectStream(await send(fixture.url, wire))
    return { wire, answer, internals: fixture.internals }
  }

  function expectNoComplaints(request: FuzzRequest, answer: FuzzAnswer, complaints: readonly string[]) {
    const polluted = Object.keys(Object.prototype).map((key) => `Object.prototype has ${key}`)
    expectNone([...complaints, ...takeLoggedErrors(), ...polluted], {
      request,
      answered: answer.text.slice(0, 500),
    })
  }

  return {
    tallies: tallies as ReadonlyMap<string, Tally>,
    cases: () => cases,
    takeLoggedErrors,
    sendRequest,

    /** Sends a REST request for an operation. */
    async rest(operation: FuzzedOperation, request: RestRequest): Promise<FuzzAnswer> {
      const judged = await sendRequest(request)
      const { answer } = judged
      expectNoComplaints(request, answer, judgeRest(operation, judged))
      const body = answer.status === 431 ? {} : JSON.parse(answer.text)
      count(operation, { status: answer.status, body })
      return answer
    },

    /** Sends a tRPC request for operations. */
    async trpc(request: TrpcRequest): Promise<void> {
      const judged = await sendRequest(request)
      const called = calledBy(request)
      expectNoComplaints(request, judged.answer, judgeTrpc(called, judged))
      const opened = openEnvelopes(judged.answer)
      if (opened.length !== called.length) return
      for (const [index, operation] of called.entries()) {
        count(operation, opened[index] ?? { status: 0, body: undefined })
      }
    },

    /** Sends a tRPC request that is malformed as a whole. */
    async strangeTrpc(request: TrpcRequest): Promise<void> {
      const judged = await sendRequest(request)
      expectNoComplaints(request, judged.answer, judgeStrangeTrpc(request, judged))
    },
  }
}

export type Fuzzer = ReturnType<typeof createFuzzer>
