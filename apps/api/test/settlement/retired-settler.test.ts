/** @module-tag all */

import { describeOneEngine } from '@lanyard/database/testing'
import { devRoles } from '@lanyard/devnet'
import { smartBalanceAbi } from '@lanyard/onchain'
import { randomPrivateKey } from '@lanyard/testing'
import { parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { SettlementCheckpointName as CheckpointName } from '../../src/domain/smart-balance/model/checkpoints.ts'
import { createSettler } from '../../src/domain/smart-balance/settlement/settler.ts'
import { type Fixture, settlerAccount, startFixture } from './settlement-fixture.ts'

const source = 31337
const owner = privateKeyToAccount(devRoles.owner.privateKey)

describeOneEngine('a settler whose key was replaced', (engine) => {
  let fixture: Fixture
  const successor = privateKeyToAccount(randomPrivateKey())
  beforeAll(async () => {
    fixture = await startFixture(engine)
    await fixture.on(source).chain.setBalance({ address: successor.address, value: parseEther('10') })
    await allow(successor.address, true)
  })
  afterAll(() => fixture?.[Symbol.asyncDispose]())
  afterEach(() => allow(settlerAccount.address, true))

  const allow = async (settler: typeof owner.address, allowed: boolean) => {
    const { chain, smartBalance } = fixture.on(source)
    const hash = await chain.writeContract({
      account: owner,
      chain: null,
      address: smartBalance,
      abi: smartBalanceAbi,
      functionName: 'setSettler',
      args: [settler, allowed],
    })
    await chain.waitForTransactionReceipt({ hash })
  }

  const due = async () =>
    fixture.spendUntilDue(await fixture.createFunded([source]), { amount: 50_000_000n, outputNetwork: 31338 })

  /** The process of the former settler stops at a step and never returns. */
  async function stopAt(step: CheckpointName): Promise<void> {
    let isReached = false
    const reached = Promise.withResolvers<void>()
    const dying = {
      ...fixture.services,
      checkpoint: async (name: string) => {
        if (name !== step) return
        isReached = true
        reached.resolve()
        await new Promise<void>(() => {})
      },
    }
    const settler = fixture.settlerOn(source, dying)
    // A pass that loses its lease of a second, on a slow machine, ends without the step.
    for (let pass = 0; pass < 20 && !isReached; pass++)
      await Promise.race([settler.settle(), reached.promise])
    expect(isReached).toBe(true)
    fixture.advance(60_000) // its lease has expired
  }

  const next = () => createSettler(fixture.services, fixture.balanceOn(source), { account: successor })

  async function runUntilSettled(orderId: string) {
    const settler = next()
    for (let pass = 0; pass < 8 && (await settler.hasWork()); pass++) {
      await settler.settle()
      await fixture.finalize(source)
      fixture.advance(61_000)
    }
    const { order, debits } = await fixture.readOrder(orderId)
    expect(debits).toMatchObject([{ state: 'SETTLED' }])
    expect(await fixture.settlements(source, order.order_hash)).toHaveLength(1)
  }

  const transactionsOf = async (orderId: string) =>
    fixture.db
      .selectFrom('settlement_debits as link')
      .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'link.txn_hash')
      .select(['tx.relayer', 'tx.state'])
      .where('link.order_id', '=', orderId)
      .orderBy('tx.created_at')
      .execute()

  const former = settlerAccount.address.toLowerCase()
  const present = successor.address.toLowerCase()

  test('behavior: a transaction that it sent is found mined and settles', async () => {
    const orderId = await due()
    await stopAt('settlement:sent')
    await fixture.finalize(source)
    await runUntilSettled(orderId)
    expect(await transactionsOf(orderId)).toEqual([{ relayer: former, state: 'mined' }])
  })

  test('behavior: a transaction that it stored but did not send is sent without its key', async () => {
    const orderId = await due()
    await stopAt('settlement:row-written')
    await runUntilSettled(orderId)
    expect(await transactionsOf(orderId)).toEqual([{ relayer: former, state: 'mined' }])
  })

  test('behavior: its stored transaction reverts if it lost its role, and the new key settles', async () => {
    const orderId = await due()
    await stopAt('settlement:row-written')
    await allow(settlerAccount.address, false)
    await runUntilSettled(orderId)
    expect(await transactionsOf(orderId)).toEqual([
      { relayer: former, state: 'lost' },
      { relayer: present, state: 'mined' },
    ])
  })

  test('behavior: its stored transaction is dropped if its account has no funds, and the new key settles', async () => {
    const orderId = await due()
    await stopAt('settlement:row-written')
    const { chain } = fixture.on(source)
    const balance = await chain.getBalance({ address: settlerAccount.address })
    await chain.setBalance({ address: settlerAccount.address, value: 0n })
    await runUntilSettled(orderId)
    await chain.setBalance({ address: settlerAccount.address, value: balance })
    expect(await transactionsOf(orderId)).toEqual([
      { relayer: former, state: 'lost' },
      { relayer: present, state: 'mined' },
    ])
  })

  test('behavior: debits of a reverted batch wait and are retried one by one', async () => {
    const orders = [await due(), await due()]
    await stopAt('settlement:row-written')
    await allow(settlerAccount.address, false)
    const settler = next()
    await settler.settle() // sends the transaction
    await settler.settle() // finds that it reverted
    for (const orderId of orders) {
      const { debits } = await fixture.readOrder(orderId)
      expect(debits).toMatchObject([{ state: 'DUE', attempts: 1, reason: 'Reverted' }])
      expect(debits[0]?.next_attempt_at?.getTime()).toBeGreaterThan(fixture.services.now().getTime())
    }
    for (const orderId of orders) await runUntilSettled(orderId)
    const hashes = await fixture.db
      .selectFrom('settlement_debits')
      .select('txn_hash')
      .where('order_id', 'in', orders)
      .distinct()
      .execute()
    expect(hashes).toHaveLength(3)
  })
})
