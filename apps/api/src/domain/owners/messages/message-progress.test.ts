// @promise 24 C.11
import { freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { randomAddress } from '@lanyard/testing'
import type { Address, Hash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordCosts } from '../../../../test/record-costs.ts'
import { findDueAccounts, makeRecoveryDue } from './message-progress.ts'

const hash: Hash = `0x${'11'.repeat(32)}`
const now = new Date('2026-11-26T12:00:00Z')
const later = new Date(now.getTime() + 900_000)

let database: TestDatabase
let account: Address
beforeAll(async () => {
  database = await freshDatabase()
  account = randomAddress()
  const row = { account: account.toLowerCase(), hash }
  await database.db
    .insertInto('recoveries')
    .values({
      ...{
        ...row,
        sequence: 1n,
        number: 1n,
        new_owners: null,
        new_threshold: null,
        result: null,
        head: '0x',
      },
      ...{ sent_by: 'shop', created_at: now, complete_at: now },
    })
    .execute()
  const waiting = {
    kind: 'cancellation' as const,
    reason: null,
    sent_at: null,
    head: null,
    executed_at: null,
  }
  await database.db
    .insertInto('message_progress')
    .values([
      { ...row, ...waiting, network: 1, next_attempt_at: later },
      { ...row, ...waiting, network: 2, next_attempt_at: later },
      { ...row, ...waiting, network: 3, next_attempt_at: later, final: true },
    ])
    .execute()
})
afterAll(() => database?.[Symbol.asyncDispose]())

test('attack: a caller who continues a recovery pays for the step on each network that it makes due', async () => {
  const continued = () =>
    recordCosts(async () => expect(await makeRecoveryDue(database.db, { account, hash, now })).toBe(true))
  expect(await continued()).toMatchObject({ gas: 32_000_000n })
  // They are due already: the next attempt comes no earlier.
  expect(await continued()).toMatchObject({ gas: 0n })
  const unknown = { account: randomAddress(), hash, now }
  expect(await makeRecoveryDue(database.db, unknown)).toBe(false)
})

test('attack: an owner who stops a running recovery does not wait behind the changes of others', async () => {
  const network = 7
  const rest = { reason: null, sent_at: null, head: null, executed_at: null, network }
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000)
  const others = Array.from({ length: 30 }, () => randomAddress().toLowerCase())
  const [owner, early] = [randomAddress().toLowerCase(), randomAddress().toLowerCase()]
  await database.db
    .insertInto('message_progress')
    .values([
      ...others.map((one) => ({
        ...rest,
        account: one,
        hash,
        kind: 'change' as const,
        next_attempt_at: ago(900),
      })),
      ...[owner, early].map((one) => ({
        ...rest,
        account: one,
        hash,
        kind: 'change' as const,
        next_attempt_at: ago(1),
      })),
      ...(
        [
          [owner, 'running'],
          [early, 'pending'],
        ] as const
      ).map(([one, state]) => ({
        ...{ ...rest, account: one, hash: `0x${'22'.repeat(32)}`, kind: 'recovery' as const },
        ...{ state, next_attempt_at: later },
      })),
    ])
    .execute()
  const due = await findDueAccounts(database.db, network, { now, limit: 10 })
  expect(due[0]).toBe(owner)
  expect(due).toHaveLength(11)
  expect(due).not.toContain(early)
  // What is not due yet does not go at all.
  expect(await findDueAccounts(database.db, network, { now: ago(10), limit: 40 })).not.toContain(owner)
})
