import { randomBytes } from 'node:crypto'
import { endpoints, LanyardError } from '@lanyard/contracts'
import { freshDatabase } from '@lanyard/database/testing'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import type { Caller } from '../../domain/accounts/callers/caller.ts'
import { createCallCosts } from '../costs/call-costs.ts'
import type { RequestContext } from '../request-context.ts'
import { idempotently } from './idempotently.ts'

const declaration = endpoints.smartAccount.create
const input = { eoaAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }
const output = {
  username: 'alice' as string,
  wallet: {
    scw_address: input.eoaAddress,
    account_kind: 'safe' as const,
    multi_scw: [],
    type: 'EOA',
    eoa_address: input.eoaAddress,
  },
} as const

/** A service with its own database, and a call that answers or fails as requested. */
async function startCalls(answered: typeof output = output) {
  const database = await freshDatabase()
  const env = {
    RATE_LIMITS: 'on',
    RATE_LIMIT_COST: undefined,
    RATE_LIMIT_KEY_FACTOR: 20,
    RATE_LIMIT_BUILD_BYTES: 1_000_000,
    NODE_ENV: 'test',
  } as const
  const log = pino({ level: 'silent' })
  const callCosts = createCallCosts({
    env,
    pool: undefined,
    log,
    metrics: { addGauge: () => {}, countCost: () => {}, countExhausted: () => {} },
    closing: new AbortController().signal,
  })
  const services = {
    database: database.db,
    now: () => new Date(),
    checkpoint: async () => {},
    env,
    callCosts,
  }
  const caller: Caller = { kind: 'address', name: '203.0.113.1' }
  /** How many answers of this length the caller may still keep. */
  const fill = (length: number): number => {
    for (let kept = 0; kept < 1_000_000; kept++) {
      try {
        callCosts.keepAnswer(caller).charge(length)
      } catch {
        return kept
      }
    }
    throw new Error('The caller has more space than anybody may have.')
  }
  let runs = 0
  const call = (key: string, error?: Error) => {
    const given = {
      services,
      log,
      requestId: 'r',
      idempotencyKey: key,
      setHeader: () => {},
      address: caller.name,
    }
    const context = given as unknown as RequestContext // no other member is read
    return idempotently({ declaration, input, context }, async () => {
      runs++
      if (error) throw error
      return answered
    })
  }
  return {
    call,
    fill,
    runs: () => runs,
    db: database.db,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

describe('idempotently', () => {
  test('behavior: one of two hundred concurrent calls runs, and the others are rejected immediately', async () => {
    await using calls = await startCalls()
    const answers = await Promise.allSettled(Array.from({ length: 200 }, () => calls.call('key')))
    for (const answer of answers) {
      if (answer.status === 'fulfilled') expect(answer.value).toEqual(output)
      else expect(answer.reason).toMatchObject({ code: 'REQUEST_IN_PROGRESS', details: { retryAfter: 1 } })
    }
    expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect(calls.runs()).toBe(1)
  })

  test('behavior: a transient refusal is retried', async () => {
    await using calls = await startCalls()
    const rejected = new LanyardError('NETWORK_UNAVAILABLE')
    await expect(calls.call('key', rejected)).rejects.toBe(rejected)
    // A caller may repeat such requests with new keys, and chooses how long the error is.
    const kept = await calls.db.selectFrom('idempotency_keys').select(['state', 'answer']).execute()
    expect(kept).toEqual([{ state: 'unfinished', answer: '' }])
    expect(await calls.call('key')).toEqual(output)
    expect(calls.runs()).toBe(2)
  })

  test('error: RATE_LIMITED, and nothing runs, when the answers of the caller take its space', async () => {
    await using calls = await startCalls()
    await calls.call('first')
    expect(calls.fill(1_048_576)).toBeGreaterThan(0)
    calls.fill(0)
    await expect(calls.call('second')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(calls.runs()).toBe(1)
  })

  test('behavior: an answer takes as much of the space of its caller as is stored', async () => {
    await using calls = await startCalls()
    const mebibyte = 1_048_576
    const long = new LanyardError('UNSUPPORTED_SIGNATURE_TYPE', {
      details: { text: randomBytes(mebibyte).toString('hex') },
    })
    await expect(calls.call('long', long)).rejects.toBe(long)
    const { answer } = await calls.db
      .selectFrom('idempotency_keys')
      .select('answer')
      .executeTakeFirstOrThrow()
    const stored = Math.floor((answer?.length ?? 0) / mebibyte)
    expect(stored).toBeGreaterThanOrEqual(1)
    // Of 64 MiB, the last of which may begin in what is left.
    expect(calls.fill(mebibyte)).toBe(64 - stored)
  })

  test('behavior: so does an answer that is no error', async () => {
    const mebibyte = 1_048_576
    const long = randomBytes(mebibyte).toString('hex')
    await using calls = await startCalls({ ...output, username: long })
    await calls.call('key')
    const { answer } = await calls.db
      .selectFrom('idempotency_keys')
      .select('answer')
      .executeTakeFirstOrThrow()
    const stored = Math.floor((answer?.length ?? 0) / mebibyte)
    expect(stored).toBeGreaterThanOrEqual(1)
    expect(calls.fill(mebibyte)).toBe(64 - stored)
  })

  test('behavior: the claim of a dead process becomes free when it expires', async () => {
    await using calls = await startCalls()
    await calls.call('key')
    const runUntil = (claim_expires_at: Date) =>
      calls.db
        .updateTable('idempotency_keys')
        .set({ state: 'running', answer: null, claim_expires_at })
        .execute()
    await runUntil(new Date(Date.now() + 60_000))
    await expect(calls.call('key')).rejects.toMatchObject({ code: 'REQUEST_IN_PROGRESS' })
    await runUntil(new Date(Date.now() - 1))
    expect(await calls.call('key')).toEqual(output)
    expect(calls.runs()).toBe(2)
  })
})
