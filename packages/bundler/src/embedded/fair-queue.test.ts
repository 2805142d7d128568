/** @module-tag all */

import { encodeInitCode, encodeSignature, type SignedUserOperation } from '@lanyard/accounts'
import { describeOneEngine } from '@lanyard/database/testing'
import { countRequests } from '@lanyard/networks'
import { reportFigure } from '@lanyard/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, type FixtureAccount, nothing, startFixture } from '../../test/fixture.ts'
import type { Bundler, SenderEvent } from '../index.ts'

/** Operations that validate nowhere: their signature is that of nobody. */
const failingAccounts = 20
const failingOfEach = 40

describeOneEngine('a queue full of operations that fail', (engine) => {
  let fixture: Fixture
  let bundler: Bundler
  let time = Date.now()
  let onSent = (_: SenderEvent) => {}
  beforeAll(async () => {
    fixture = await startFixture(engine)
    bundler = fixture.bundler({ now: () => new Date(time), observe: (event) => onSent(event) })
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  /** Stores operations on many nonce keys, without the check of delivery. */
  async function storeFailing(account: FixtureAccount, valid: SignedUserOperation, count = failingOfEach) {
    const signature = encodeSignature({ validAfter: 0, validUntil: 0, signatures: `0x${'11'.repeat(65)}` })
    const failing = Array.from({ length: count }, (_, key) => ({
      ...{ ...valid, sender: account.address, initCode: encodeInitCode(account.owner), signature },
      nonce: (BigInt(key) + 1n) << 64n,
    }))
    await fixture.storeAll(failing, 'submitted')
  }

  test('behavior: another account is sent in the same pass, and failures are tried ever more rarely', async () => {
    const model = await fixture.account()
    const valid = await fixture.build(bundler, model, [nothing])
    const accounts: FixtureAccount[] = []
    for (let index = 0; index < failingAccounts; index++) accounts.push(await fixture.account())
    for (const account of accounts) await storeFailing(account, valid)

    const honest = await fixture.submit(
      bundler,
      await fixture.build(bundler, await fixture.account(), [nothing]),
    )
    await bundler.drive()
    expect(await fixture.events(honest)).toHaveLength(1)

    const attempts = async () => {
      const { total } = await fixture.database.db
        .selectFrom('operations')
        .select(({ fn }) => fn.sum<string>('attempts').as('total'))
        .executeTakeFirstOrThrow()
      return Number(total)
    }
    // One of each account, not one of each nonce key.
    expect(await attempts()).toBe(failingAccounts)
    const perMinute: number[] = []
    for (let minute = 0; minute < 3; minute++) {
      const before = await attempts()
      for (let second = 0; second < 60; second += 2) {
        time += 2_000
        await bundler.drive()
      }
      perMinute.push((await attempts()) - before)
    }
    // At first after 1, 2, 4, … 60 s; then once a minute.
    expect(perMinute[0]).toBeLessThanOrEqual(failingAccounts * 6)
    expect(perMinute[2]).toBeLessThanOrEqual(failingAccounts * 2)

    const next = await fixture.submit(
      bundler,
      await fixture.build(bundler, await fixture.account(), [nothing]),
    )
    await bundler.drive()
    expect(await fixture.events(next)).toHaveLength(1)
  })

  /** Passes until an honest operation is included; JSON-RPC requests and milliseconds until it is sent. */
  async function timeOfHonest(): Promise<{ passes: number; requests: number; ms: number }> {
    const account = await fixture.account()
    const hash = await fixture.submit(bundler, await fixture.build(bundler, account, [nothing]))
    const began = performance.now()
    let count = 0
    let sent: { requests: number; ms: number } | undefined
    onSent = ({ kind }) => {
      // Nothing else can be sent.
      if (kind === 'sent') sent ??= { requests: count, ms: Math.round(performance.now() - began) }
    }
    for (let passes = 1; passes <= 20; passes++) {
      await countRequests(
        () => void count++,
        () => bundler.drive(),
      )
      if ((await fixture.events(hash)).length > 0 && sent) {
        await fixture.noticeInclusion()
        return { passes, ...sent }
      }
      time += 2_000
    }
    throw new Error('not included within 20 passes')
  }

  // PGlite takes minutes to write them; it has the same statements.
  test.skipIf(engine === 'pglite')(
    'behavior: beside 10,000 failing operations of 100 accounts, an honest one takes at most twice its quiet time',
    {
      tags: ['long'],
      timeout: 900_000,
    },
    async () => {
      await fixture.database.db.deleteFrom('operations').where('state', '=', 'submitted').execute()
      const quiet = [await timeOfHonest(), await timeOfHonest(), await timeOfHonest()]
      const valid = await fixture.build(bundler, await fixture.account(), [nothing])
      const accounts = await Promise.all(Array.from({ length: 100 }, () => fixture.account()))
      await Promise.all(accounts.map((account) => storeFailing(account, valid, 100)))
      const attacked: typeof quiet = []
      for (let second = 0; second < 120; second += 4) {
        attacked.push(await timeOfHonest())
        time += 4_000
      }
      const limit = (all: typeof quiet) => Math.max(...all.map(({ passes }) => passes))
      const middle = (all: typeof quiet) =>
        all.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
      reportFigure(24, 'milliseconds until an honest operation is sent, median, quiet', middle(quiet))
      reportFigure(24, '… beside 10,000 failing operations of 100 accounts', middle(attacked))
      console.info({ quiet, attacked })
      expect(limit(attacked)).toBeLessThanOrEqual(2 * limit(quiet))
    },
  )
})
