/** @module-tag all */

import { computeAccountAddress, defaultDeployment } from '@lanyard/accounts'
import { createEoaAccount, type OrderDebitRow, type OrderRow } from '@lanyard/database'
import { describeEachEngine, freshDatabase } from '@lanyard/database/testing'
import { settlementWindow } from '@lanyard/smart-balance'
import { randomPrivateKey } from '@lanyard/testing'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { toStoredDeployment } from '../../accounts/safe/safe-kind.ts'
import type { Deposit } from './read-deposit.ts'
import { readLedger } from './read-ledger.ts'
import { writeDeposits } from './write-deposits.ts'

const network = 31337
const outputNetwork = 31338
const validUntil = 1_800_000_000
const hash: Hex = `0x${'0a'.repeat(32)}`
const digest: Hex = `0x${'0d'.repeat(32)}`

describeEachEngine('writeDeposits', (engine) => {
  /** An account with one signed order: a debit of 50 (10 if it fails), and a co-signature on its output network. */
  async function prepare(order: Partial<OrderRow> = {}, debit: Partial<OrderDebitRow> = {}) {
    const opened = await freshDatabase(engine)
    const { db } = opened
    const eoaAddress = privateKeyToAddress(randomPrivateKey())
    const { account } = await createEoaAccount(db, {
      address: computeAccountAddress({ kind: 'eoa', address: eoaAddress }),
      eoaAddress,
      deployment: toStoredDeployment(defaultDeployment),
      createdAt: new Date(),
    })
    const now = new Date()
    await db
      .insertInto('operations')
      .values({
        user_op_hash: hash,
        account: account.address,
        network: outputNetwork,
        entry_point: '0x',
        nonce_key: 0n,
        nonce_sequence: 0n,
        user_op: '{}',
        safe_op_hash: hash,
        valid_after: 0,
        valid_until: validUntil,
        sign_mode: 'ECDSA',
        value: 0n,
        deploys: false,
        replaces: null,
        state: 'built', // no other member of the operation is read
        built_at: now,
        build_expires_at: now,
      })
      .execute()
    await db
      .insertInto('orders')
      .values({
        order_id: hash,
        account: account.address,
        output_network: outputNetwork,
        type: 'AMOUNT_OUT',
        amount: 49n,
        fee: 1n,
        total: 50n,
        claim_amount: 40n,
        withdrawal_amount: 9n,
        withdrawal_fee: 0n,
        withdrawal_deadline: validUntil,
        withdrawal_digest: digest,
        withdrawal_state: 'open',
        nonce_key: 0n,
        nonce_sequence: 0n,
        signer_id: hash,
        gas_budget: 1n,
        state: 'ATTESTED',
        reserved_at: now,
        expires_at: now,
        ...order,
      })
      .execute()
    await db
      .insertInto('order_operations')
      .values({
        order_hash: hash,
        order_id: hash,
        user_op_hash: hash,
        paymaster_and_data: '0x',
        valid_until: validUntil,
        created_at: now,
      })
      .execute()
    await db
      .insertInto('order_debits')
      .values({ order_id: hash, network, amount: 50n, fail_fee: 10n, state: 'DUE', due: 50n, ...debit })
      .execute()
    return {
      account: account.address,
      db,
      write: (deposit: Partial<Deposit>) => writeDeposits(db, account.address, [{ ...empty, ...deposit }]),
      debit: () => db.selectFrom('order_debits').selectAll().executeTakeFirstOrThrow(),
      order: () => db.selectFrom('orders').selectAll().executeTakeFirstOrThrow(),
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  }

  const empty: Deposit = {
    network,
    block: { number: 10n, timestamp: validUntil },
    balance: 100n,
    exiting: 0n,
    exitReadyAt: 0,
    requestedSigners: [],
    pinnedSigners: [],
    settled: new Map(),
    usedWithdrawals: new Set(),
  }
  const settled = (amount: bigint, outcome: 'claimed' | 'failed' = 'claimed') =>
    new Map([[hash, { amount, outcome }]])

  test('behavior: an older block neither overwrites a newer one nor settles a debit', async () => {
    await using fixture = await prepare()
    await fixture.write({ balance: 100n })
    await fixture.write({ balance: 50n, block: { number: 9n, timestamp: validUntil }, settled: settled(50n) })
    expect(await readLedger(fixture.db, fixture.account)).toMatchObject([{ balance: 100n }])
    expect(await fixture.debit()).toMatchObject({ state: 'DUE', settled_amount: 0n })
  })

  test('behavior: the lowered balance and the settled debit are written together', async () => {
    await using fixture = await prepare()
    await fixture.write({ balance: 100n })
    await fixture.write({
      balance: 50n,
      block: { number: 11n, timestamp: validUntil },
      settled: settled(50n),
    })
    expect(await readLedger(fixture.db, fixture.account)).toMatchObject([{ balance: 50n }])
    expect(await fixture.debit()).toMatchObject({ state: 'SETTLED', settled_amount: 50n })
  })

  test('behavior: a partial settlement is PARTIAL until the rest follows', async () => {
    await using fixture = await prepare()
    await fixture.write({ settled: settled(30n) })
    expect(await fixture.debit()).toMatchObject({ state: 'PARTIAL', settled_amount: 30n })
    await fixture.write({ block: { number: 11n, timestamp: validUntil }, settled: settled(50n) })
    expect(await fixture.debit()).toMatchObject({ state: 'SETTLED', settled_amount: 50n })
  })

  test('behavior: only the failFee of a failed operation is due', async () => {
    await using fixture = await prepare({ state: 'FAILED' }, { state: 'RESERVED', due: null })
    await fixture.write({ settled: settled(10n, 'failed') })
    expect(await fixture.debit()).toMatchObject({ state: 'SETTLED', due: 10n, settled_amount: 10n })
  })

  describe('past the settlement window', () => {
    const late = { number: 11n, timestamp: validUntil + settlementWindow + 1 }

    test('behavior: a due debit is LOST one second after the window and no earlier', async () => {
      await using fixture = await prepare()
      await fixture.write({ block: { number: 10n, timestamp: validUntil + settlementWindow } })
      expect(await fixture.debit()).toMatchObject({ state: 'DUE' })
      await fixture.write({ block: late })
      expect(await fixture.debit()).toMatchObject({ state: 'LOST', settled_amount: 0n })
    })

    test('behavior: a debit without a claim is not LOST', async () => {
      await using fixture = await prepare({ state: 'SUBMITTED' }, { state: 'RESERVED', due: null })
      await fixture.write({ block: late })
      expect(await fixture.debit()).toMatchObject({ state: 'RESERVED' })
    })
  })

  test('behavior: a co-signature binds until it is used or its deadline has passed', async () => {
    await using fixture = await prepare()
    const there = { network: outputNetwork }
    await fixture.write(there)
    expect(await fixture.order()).toMatchObject({ withdrawal_state: 'open' })
    await fixture.write({ ...there, block: { number: 11n, timestamp: validUntil + 1 } })
    expect(await fixture.order()).toMatchObject({ withdrawal_state: 'lapsed' })

    await using other = await prepare()
    await other.write({ ...there, usedWithdrawals: new Set([digest]) })
    expect(await other.order()).toMatchObject({ withdrawal_state: 'used' })
  })

  test('behavior: a block of another network changes nothing', async () => {
    await using fixture = await prepare()
    const elsewhere = { network: 31339, block: { number: 99n, timestamp: validUntil * 2 } }
    await fixture.write({ ...elsewhere, settled: settled(50n), usedWithdrawals: new Set([digest]) })
    expect(await fixture.debit()).toMatchObject({ state: 'DUE' })
    expect(await fixture.order()).toMatchObject({ withdrawal_state: 'open' })
  })
})
