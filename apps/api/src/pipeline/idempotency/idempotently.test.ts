import { endpoints, LanyardError } from '@lanyard/contracts'
import { freshDatabase } from '@lanyard/database/testing'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import type { RequestContext } from '../request-context.ts'
import { idempotently } from './idempotently.ts'

const declaration = endpoints.smartAccount.create
const input = { eoaAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }
const output = {
  username: 'alice',
  wallet: {
    scw_address: input.eoaAddress,
    account_kind: 'safe' as const,
    multi_scw: [],
    type: 'EOA',
    eoa_address: input.eoaAddress,
  },
} as const

/** A service with its own database, and a call that answers or fails as requested. */
async function startCalls() {
  const database = await freshDatabase('pglite')
  const services = {
    database: database.db,
    now: () => new Date(),
    checkpoint: async () => {},
    env: { NODE_ENV: 'test' },
    callCosts: { keepAnswer: () => ({ charge: () => {}, release: () => {} }) },
  }
  const log = pino({ level: 'silent' })
  let runs = 0
  const call = (key: string, error?: Error) => {
    const given = { services, log, requestId: 'r', idempotencyKey: key, setHeader: () => {} }
    const context = given as unknown as RequestContext // no other member is read
    return idempotently({ declaration, input, context }, async () => {
      runs++
      if (error) throw error
      return output
    })
  }
  return {
    call,
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
