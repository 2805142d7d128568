import { describeEachEngine } from '@lanyard/database/testing'
import { sql } from 'kysely'
import type { Address, Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Scene, startScene } from '../../test/scene.ts'
import { createTransactionSender, type PreparedTransaction } from './create-sender.ts'
import type { SendOutcome } from './send-raw-transaction.ts'

const recipient: Address = '0x000000000000000000000000000000000000bEEF'

describeEachEngine('a sender that pays by itself', (engine) => {
  let scene: Scene
  beforeAll(async () => {
    scene = await startScene(engine)
  })
  afterAll(() => scene[Symbol.asyncDispose]())

  /** What it sends: transfers of 1 wei, each once. */
  function transfers(count: number) {
    let waiting = count
    const putOff: SendOutcome[] = []
    const prepared: PreparedTransaction = {
      to: recipient,
      data: '0x',
      gas: 30_000n,
      contents: () => ({
        lock: async () => waiting > 0,
        link: async () => {
          waiting--
        },
      }),
      putOff: async (outcome) => {
        putOff.push(outcome)
      },
    }
    const again: PreparedTransaction = {
      ...prepared,
      contents: () => ({ lock: async () => true, link: async () => {} }),
    }
    const source = {
      hasOpenContents: sql<boolean>`false`,
      hasWaiting: async () => waiting > 0,
      next: async () => (waiting > 0 ? prepared : undefined),
      again: async (_txnHash: Hex) => again,
    }
    return { source, putOff }
  }

  async function sender(count: number, funds = 10n ** 18n) {
    const account = privateKeyToAccount(generatePrivateKey())
    await scene.chain.setBalance({ address: account.address, value: funds })
    const { source, putOff } = transfers(count)
    let offset = 0
    const made = createTransactionSender(scene.network, {
      database: scene.database.db,
      account,
      source,
      now: () => new Date(Date.now() + offset),
      checkpoint: () => {},
      settings: { maxInFlight: 2, replaceAfter: 45_000 },
    })
    const rows = async () =>
      (await scene.transactions()).filter(({ relayer }) => relayer === account.address.toLowerCase())
    const drive = async () => {
      const outcome = await made.drive()
      await scene.mined()
      return outcome
    }
    const passTime = (milliseconds: number) => (offset += milliseconds)
    return { drive, account, putOff, rows, passTime }
  }

  test('default: sends what waits, nonce after nonce', async () => {
    const { drive, rows } = await sender(2)
    await drive()
    await drive()
    expect((await rows()).map(({ nonce, state }) => [nonce, state])).toEqual([
      [0, 'mined'],
      [1, 'mined'],
    ])
  })

  test('behavior: without funds what it carries is put off', async () => {
    const { drive, putOff, rows } = await sender(1, 1n)
    expect(await drive()).toBe('insufficient-funds')
    expect(putOff).toEqual(['insufficient-funds'])
    expect((await rows()).map(({ state }) => state)).toEqual(['lost'])
  })

  test('behavior: stuck: the same nonce at higher fees, up to eight times the market', async () => {
    const { drive, rows, passTime, account } = await sender(1)
    await scene.stopMining()
    for (let pass = 0; pass < 40; pass++) {
      await drive()
      passTime(50_000)
    }
    const sent = await rows()
    expect(new Set(sent.map(({ nonce }) => nonce))).toEqual(new Set([0]))
    expect(sent.length).toBeGreaterThan(5)
    const market = await scene.network.fees()
    for (const { max_fee_per_gas } of sent)
      expect(max_fee_per_gas).toBeLessThanOrEqual(8n * market.maxFeePerGas)
    const settled = sent.length
    await drive()
    expect((await rows()).length).toBe(settled)
    await scene.chain.mine({ blocks: 1 })
    await drive()
    expect((await rows()).map(({ state }) => state).toSorted()).toEqual([
      ...Array.from({ length: settled - 1 }, () => 'lost'),
      'mined',
    ])
    expect(await scene.chain.getTransactionCount({ address: account.address })).toBe(1)
  })
})
