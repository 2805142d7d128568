import { setTimeout as delay } from 'node:timers/promises'
import { endpoints, LanyardError } from '@lanyard/contracts'
import { freshDatabase } from '@lanyard/database/testing'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { recordStatements } from '../../test/statements.ts'
import type { RequestContext } from '../request-context.ts'
import { idempotently } from './idempotently.ts'

const declaration = endpoints.smartAccount.create
const input = { eoaAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }
const output = {
  username: 'alice',
  wallet: { scw_address: input.eoaAddress, multi_scw: [], type: 'EOA', eoa_address: input.eoaAddress },
} as const

/** A service that has a database of its own, and a call that takes as long as told. */
async function startCalls() {
  const database = await freshDatabase('pglite')
  const services = {
    database: database.db,
    now: () => new Date(),
    checkpoint: async () => {},
    env: { INCLUSION_TIMEOUT: 30 },
  }
  const log = pino({ level: 'silent' })
  let runs = 0
  const call = (key: string, milliseconds: number, error?: Error) => {
    const given = { services, log, requestId: 'r', idempotencyKey: key, setHeader: () => {} }
    const context = given as unknown as RequestContext // nothing else is looked at
    return idempotently({ declaration, input, context }, async () => {
      runs++
      await delay(milliseconds)
      if (error) throw error
      return output
    })
  }
  return {
    call,
    runs: () => runs,
    statements: recordStatements(database),
    db: database.db,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

describe('idempotently', () => {
  test('behavior: who waits asks the database no more often for being many', async () => {
    await using calls = await startCalls()
    const first = calls.call('key', 2_000)
    await delay(50)
    const early = Array.from({ length: 10 }, () => calls.call('key', 2_000))
    await delay(500)
    const asked = calls.statements.take().length
    const late = Array.from({ length: 200 }, () => calls.call('key', 2_000))
    const answers = await Promise.all([first, ...early, ...late])
    expect(answers).toEqual(Array(211).fill(output))
    expect(calls.runs()).toBe(1)
    // Each of the early ones tries to claim it; the rest is one look after the other, with growing pauses.
    expect(asked).toBeLessThan(50)
    const later = calls.statements.take()
    expect(later.length).toBeLessThan(15)
    expect(later.filter((text) => text.startsWith('delete'))).toEqual([])
  })

  test('behavior: a refusal that may pass is the answer of all who waited, and of nobody later', async () => {
    await using calls = await startCalls()
    const refused = new LanyardError('NETWORK_UNAVAILABLE')
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () => calls.call('key', 300, refused)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill('rejected'))
    expect(calls.runs()).toBe(1)
    expect(await calls.call('key', 0)).toEqual(output)
  })

  test('behavior: when a process dies, one of those who waited runs it', async () => {
    await using calls = await startCalls()
    await calls.call('key', 0)
    await calls.db
      .updateTable('idempotency_keys')
      .set({ state: 'running', answer: null, claim_expires_at: new Date(Date.now() + 500) })
      .execute()
    const answers = await Promise.all(Array.from({ length: 20 }, () => calls.call('key', 0)))
    expect(answers).toEqual(Array(20).fill(output))
    expect(calls.runs()).toBe(2)
  })
})
