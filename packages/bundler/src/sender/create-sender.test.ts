import { describeEachEngine } from '@lanyard/database/testing'
import { randomPrivateKey } from '@lanyard/testing'
import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, startFixture } from '../../test/fixture.ts'
import { createTransactionSender, type PreparedTransaction } from './create-sender.ts'
import type { SendOutcome } from './send-raw-transaction.ts'

const recipient: Address = '0x000000000000000000000000000000000000bEEF'

/** PUSH0 PUSH0 REVERT */
const alwaysReverts = '0x5f5ffd'

describeEachEngine('a sender that pays for its own transactions', (engine) => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await startFixture(engine)
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  /** Transfers of 1 wei, each sent once. */
  function transfers(count: number, to = recipient) {
    let waiting = count
    const retries: (SendOutcome | 'over-limit')[] = []
    const reverted: Hex[] = []
    const prepared: PreparedTransaction = {
      to,
      data: '0x',
      gas: 30_000n,
      contents: () => ({
        lock: async () => waiting > 0,
        link: async () => {
          waiting--
        },
      }),
      scheduleRetry: async (outcome) => {
        retries.push(outcome)
      },
    }
    const again: PreparedTransaction = {
      ...prepared,
      contents: () => ({ lock: async () => true, link: async () => {} }),
    }
    const source = {
      hasContents: sql<boolean>`true`,
      hasOpenContents: sql<boolean>`false`,
      reverted: async (txnHashes: readonly Hex[]) => async () => {
        reverted.push(...txnHashes)
      },
      hasWaiting: async () => waiting > 0,
      next: async () => (waiting > 0 ? prepared : undefined),
      again: async (_txnHash: Hex) => again,
    }
    return { source, retries, reverted }
  }

  async function sender(count: number, { funds = 10n ** 18n, to = recipient } = {}) {
    const account = privateKeyToAccount(randomPrivateKey())
    await fixture.chain.setBalance({ address: account.address, value: funds })
    const { source, retries, reverted } = transfers(count, to)
    let offset = 0
    const made = createTransactionSender(fixture.network, {
      database: fixture.database.db,
      account,
      source,
      now: () => new Date(Date.now() + offset),
      checkpoint: () => {},
      settings: { maxInFlight: 2, replaceAfter: 45_000 },
    })
    const rows = async () =>
      (await fixture.transactions()).filter(({ relayer }) => relayer === account.address.toLowerCase())
    const drive = async () => {
      const outcome = await made.drive()
      await fixture.mined()
      return outcome
    }
    const passTime = (milliseconds: number) => (offset += milliseconds)
    return { drive, account, retries, reverted, rows, passTime }
  }

  test('default: sends waiting transactions in order of their nonces', async () => {
    const { drive, rows } = await sender(2)
    await drive()
    await drive()
    expect((await rows()).map(({ nonce, state }) => [nonce, state])).toEqual([
      [0, 'mined'],
      [1, 'mined'],
    ])
  })

  test('behavior: schedules a retry if it has no funds', async () => {
    const { drive, retries, rows } = await sender(1, { funds: 1n })
    expect(await drive()).toBe('insufficient-funds')
    expect(retries).toEqual(['insufficient-funds'])
    expect((await rows()).map(({ state }) => state)).toEqual(['lost'])
  })

  test('behavior: reports each reverted transaction once', async () => {
    const { address } = privateKeyToAccount(randomPrivateKey())
    await fixture.chain.setCode({ address, bytecode: alwaysReverts })
    const { drive, reverted, rows } = await sender(1, { to: address })
    for (let pass = 0; pass < 3; pass++) await drive()
    const [row] = await rows()
    expect(row).toMatchObject({ state: 'lost', block_hash: expect.stringMatching(/^0x/) })
    expect(reverted).toEqual([row?.txn_hash])
  })

  test('behavior: replaces a stuck transaction at higher fees, up to eight times the market price', async () => {
    const { drive, rows, passTime, account } = await sender(1)
    await fixture.stopMining()
    // No block changes it from here on, and the value read before the last block was higher.
    const market = await fixture.network.fees()
    for (let pass = 0; pass < 40; pass++) {
      await drive()
      passTime(50_000)
    }
    const sent = await rows()
    expect(new Set(sent.map(({ nonce }) => nonce))).toEqual(new Set([0]))
    expect(sent.length).toBeGreaterThan(5)
    for (const { max_fee_per_gas } of sent)
      expect(max_fee_per_gas).toBeLessThanOrEqual(8n * market.maxFeePerGas)
    const settled = sent.length
    await drive()
    expect((await rows()).length).toBe(settled)
    await fixture.chain.mine({ blocks: 1 })
    await drive()
    expect((await rows()).map(({ state }) => state).toSorted()).toEqual([
      ...Array.from({ length: settled - 1 }, () => 'lost'),
      'mined',
    ])
    expect(await fixture.chain.getTransactionCount({ address: account.address })).toBe(1)
  })

  test('behavior: completes transactions of an account that is no longer configured without its key', async () => {
    const former = await sender(1)
    await former.drive()
    const next = await sender(0)
    await fixture.chain.mine({ blocks: 1 })
    await next.drive()
    expect(await former.rows()).toMatchObject([{ state: 'mined' }])
  })

  test('behavior: gives up a transaction whose fees it cannot raise, so that another account sends it', async () => {
    const former = await sender(1)
    await former.drive()
    const next = await sender(0)
    await next.drive()
    expect(await former.rows()).toMatchObject([{ state: 'live' }])
    next.passTime(190_000)
    await next.drive()
    expect(await former.rows()).toMatchObject([{ state: 'lost', block_hash: null }])
  })
})
