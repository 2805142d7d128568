/** @module-tag all */
// @promise 24 C.3

import { delegatedDeployment, type SignedUserOperation, toDelegatedAccount } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { usualEngine } from '@lanyard/database/testing'
import { randomAddress, randomPrivateKey, reportFigure } from '@lanyard/testing'
import { type Address, encodeFunctionData, type Hex, parseEther, parseGwei } from 'viem'
import { entryPoint08Abi } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type DelegatedAccount, type Fixture, nothing, startFixture } from '../../test/fixture.ts'
import { requiredPreVerificationGas } from '../bundle-gas.ts'
import type { Bundler } from '../index.ts'

/** Accepts every operation once it has burnt all but 60,000 gas: `JUMPDEST GAS > 60,000 JUMPI(0) RETURN(0, 0x20)`. */
const burnsAndAccepts: Hex = '0x5b61ea605a1160005760206000f3'

/** Burns all gas: `JUMPDEST JUMP(0)`. */
const loops: Hex = '0x5b600056'

const count = 12

const randomHash = () => randomPrivateKey()

/**
 * The owner of a delegated EOA exchanges its code with a transaction of its own, while the bundle is in the pool. Blocks
 * are mined by hand, so the gas is the same in each run.
 */
describe('delegated EOAs whose owner exchanges their code', () => {
  let fixture: Fixture
  let bundler: Bundler
  let relayer: Address
  let time: number
  const [burner, looper] = [randomAddress(), randomAddress()]
  beforeAll(async () => {
    fixture = await startFixture(usualEngine(), {}, async (rpcUrl) => ({
      ...{ accountKinds: ['safe', 'eip7702'], sendRpcUrls: [rpcUrl] },
    }))
    await fixture.stopMining()
    await fixture.chain.setCode({ address: burner, bytecode: burnsAndAccepts })
    await fixture.chain.setCode({ address: looper, bytecode: loops })
  })
  afterAll(() => fixture[Symbol.asyncDispose]())
  beforeEach(async () => {
    await fixture.database.db.updateTable('operations').set({ state: 'dropped', final: true }).execute()
    await fixture.database.db.deleteFrom('relayer_losses').execute()
    // Tests change the base fee.
    await fixture.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('1') })
    await fixture.chain.mine({ blocks: 1 })
    const account = privateKeyToAccount(randomPrivateKey())
    relayer = account.address
    await fixture.chain.setBalance({ address: relayer, value: parseEther('100') })
    time = Date.now()
    bundler = fixture.bundler({ relayers: [account], now: () => new Date(time) })
  })

  const { entryPoint } = delegatedDeployment

  /** Mines what is in the pool, and lets the service see it. */
  async function nextBlock() {
    await fixture.chain.mine({ blocks: 1 })
    await fixture.noticeInclusion()
    time += 13_000
    await bundler.drive()
  }

  /** Gives each EOA a delegate, with one transaction that comes before the relayer's. */
  async function delegateAll(delegates: readonly (readonly [DelegatedAccount, Address])[]) {
    const authorizationList = await Promise.all(
      delegates.map(async ([account, to]) =>
        fixture.authorize(account, await fixture.chain.getTransactionCount(account), to),
      ),
    )
    return await fixture.chain.sendTransaction({
      ...{ account: fixture.funder, chain: null, to: fixture.funder.address, authorizationList },
      gas: 100_000n + 50_000n * BigInt(delegates.length),
      ...{ maxFeePerGas: parseGwei('900'), maxPriorityFeePerGas: parseGwei('300') },
    })
  }

  /** EOAs that are delegated as they should be, each with a deposit that pays for what its code does. */
  async function freshAccounts(size: number): Promise<DelegatedAccount[]> {
    const accounts: DelegatedAccount[] = []
    for (let index = 0; index < size; index++) {
      const account = await fixture.delegatedAccount()
      accounts.push(account)
      await fixture.chain.sendTransaction({
        ...{ account: fixture.funder, chain: null, to: entryPoint, value: parseEther('1'), gas: 100_000n },
        ...{ maxFeePerGas: parseGwei('900'), maxPriorityFeePerGas: parseGwei('300') },
        data: encodeFunctionData({
          ...{ abi: entryPoint08Abi, functionName: 'depositTo', args: [account.address] },
        }),
      })
    }
    await delegateAll(accounts.map((account) => [account, delegatedDeployment.delegate]))
    await fixture.chain.mine({ blocks: 1 })
    return accounts
  }

  /** Submits an operation with as much gas for its validation as the bundler accepts. */
  async function submitCostly(account: DelegatedAccount, sentBy: string): Promise<Hex | undefined> {
    const built = await fixture.buildDelegated(bundler, account, [nothing])
    for (const verificationGasLimit of [700_000n, 120_000n]) {
      const raised = { ...built, verificationGasLimit }
      const operation = { ...raised, preVerificationGas: requiredPreVerificationGas(raised) + 1_000n }
      const kind = toDelegatedAccount(account.address)
      const hash = kind.hashOperation(operation, { chainId: fixture.network.chainId })
      const submitted = await submit({ ...operation, signature: await account.signer.sign({ hash }) }, sentBy)
      if (submitted) return submitted
    }
    return undefined
  }

  const rejected: string[] = []
  async function submit(operation: SignedUserOperation, sentBy: string): Promise<Hex | undefined> {
    try {
      await bundler.deliver(operation, sentBy)
    } catch (error) {
      rejected.push(error instanceof LanyardError ? `${error.code} ${error.message}` : String(error))
      return undefined
    }
    const hash = await fixture.store(operation, 'submitted')
    await fixture.database.db
      .updateTable('operations')
      .set({ sent_by: sentBy, signed_at: new Date(time) })
      .where('user_op_hash', '=', hash)
      .execute()
    return hash
  }

  const submitHonest = async (account: DelegatedAccount, sentBy: string) => {
    const hash = await submit(await fixture.buildDelegated(bundler, account, [nothing]), sentBy)
    if (!hash) throw new Error(rejected.at(-1))
    return hash
  }

  const isIncluded = async (hash: Hex) => (await fixture.events(hash)).length === 1

  /** The senders of each live bundle, in its order. */
  async function liveBundles(): Promise<string[][]> {
    const rows = await fixture.database.db
      .selectFrom('relayer_transaction_operations as link')
      .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'link.txn_hash')
      .innerJoin('operations', 'operations.user_op_hash', 'link.user_op_hash')
      .select(['link.txn_hash', 'operations.account'])
      .where('tx.state', '=', 'live')
      .where('tx.relayer', '=', relayer.toLowerCase())
      .orderBy('link.position')
      .execute()
    return [...Map.groupBy(rows, ({ txn_hash }) => txn_hash).values()].map((bundle) =>
      bundle.map(({ account }) => account),
    )
  }

  /** All but the last of each bundle burn their gas and accept, and the last one fails. */
  async function exchangeCode(accounts: readonly DelegatedAccount[]): Promise<Hex> {
    const last = new Set((await liveBundles()).map((bundle) => bundle.at(-1)))
    return await delegateAll(
      accounts.map((account) => [account, last.has(account.address.toLowerCase()) ? looper : burner]),
    )
  }

  async function lostGas(): Promise<bigint> {
    const lost = (await fixture.transactions()).filter(
      ({ relayer: by, state, block_number }) =>
        by === relayer.toLowerCase() && state === 'lost' && block_number !== null,
    )
    const receipts = await Promise.all(
      lost.map(({ txn_hash }) => fixture.chain.getTransactionReceipt({ hash: txn_hash as Hex })),
    )
    return receipts.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)
  }

  test('behavior: twelve fresh ones cost the relayer one small transaction, and a newcomer elsewhere goes on', async () => {
    const accounts = await freshAccounts(count)
    for (const account of accounts) await submitCostly(account, 'address:203.0.113.7')
    const innocent = await submitHonest(await fixture.delegatedAccount(), 'address:198.51.100.1')
    await bundler.drive()
    const exchange = await exchangeCode(accounts)
    for (let block = 0; block < 4; block++) await nextBlock()
    const [lost, { gasUsed }] = [
      await lostGas(),
      await fixture.chain.getTransactionReceipt({ hash: exchange }),
    ]
    reportFigure(24, 'gas that a relayer loses to twelve fresh EOAs whose code is exchanged', Number(lost))
    expect(lost).toBeGreaterThan(0n)
    expect(lost).toBeLessThan(300_000n)
    expect(lost).toBeLessThan(gasUsed) // what the attacker pays for the exchange
    expect(await isIncluded(innocent)).toBe(true)
  })

  const office = 'address:192.0.2.1'

  /** An account that has paid for its first operation. */
  async function paidAccount(): Promise<DelegatedAccount> {
    const account = await fixture.delegatedAccount()
    const hash = await submitHonest(account, 'key:elsewhere')
    await bundler.drive()
    await nextBlock()
    expect(await isIncluded(hash)).toBe(true)
    return account
  }

  const lose = async (sentBy: string, wei: bigint) =>
    fixture.database.db
      .insertInto('relayer_losses')
      .values({
        ...{ txn_hash: randomHash(), user_op_hash: randomHash(), network: fixture.network.chainId },
        ...{ account: randomAddress(), sent_by: sentBy, reason: 'reverted', wei, owed: wei },
        ...{ lost_at: new Date(time), repaid_by: null },
      })
      .execute()

  test('behavior: newcomers behind one address are served one after the other, beside an account that has paid', async () => {
    const paid = await paidAccount()
    const newcomers: Hex[] = []
    for (let index = 0; index < 5; index++) {
      newcomers.push(await submitHonest(await fixture.delegatedAccount(), office))
    }
    const ofPaid = await submitHonest(paid, office)
    await bundler.drive()
    expect(await liveBundles()).toHaveLength(2)
    const waiting = (await Promise.all(newcomers.map(fixture.row))).filter(({ reason_code }) => reason_code)
    expect(waiting).toHaveLength(4)
    for (const row of waiting) {
      expect(row).toMatchObject({
        ...{ state: 'submitted', attempts: 0, reason_code: 'RATE_LIMITED' },
        reason_message: expect.stringContaining('this one follows by itself'),
        // Soon, however long it has waited.
        next_attempt_at: new Date(time + 3_000),
      })
    }
    const included: number[] = []
    for (let block = 0; block < 5; block++) {
      await nextBlock()
      included.push((await Promise.all(newcomers.map(isIncluded))).filter(Boolean).length)
    }
    expect(included).toEqual([1, 2, 3, 4, 5])
    expect(await isIncluded(ofPaid)).toBe(true)
  })

  test('behavior: the transaction of a relayer that has left holds its caller back for an hour at most', async () => {
    const first = await submitHonest(await fixture.delegatedAccount(), office)
    await bundler.drive()
    expect(await liveBundles()).toHaveLength(1)
    await fixture.database.db
      .updateTable('relayer_transactions')
      .set({ relayer: randomAddress().toLowerCase() })
      .where('relayer', '=', relayer.toLowerCase())
      .execute()
    const second = await submitHonest(await fixture.delegatedAccount(), office)
    await bundler.drive()
    expect(await fixture.row(second)).toMatchObject({ reason_code: 'RATE_LIMITED' })
    await fixture.database.db
      .updateTable('relayer_transactions')
      .set({ created_at: new Date(Date.now() - 3_600_001) })
      .where('state', '=', 'live')
      .execute()
    time += 13_000
    await bundler.drive()
    expect(await liveBundles()).toHaveLength(1)
    expect(await isIncluded(first)).toBe(false)
  })

  test('behavior: a caller whose losses took its share waits with its newcomers, others do not; at the limit all wait', async () => {
    const paid = await paidAccount()
    await lose(office, parseEther('0.0025'))
    const held = await submitHonest(await fixture.delegatedAccount(), office)
    const vouched = await submitHonest(paid, office)
    const elsewhere = await submitHonest(await fixture.delegatedAccount(), 'address:192.0.2.2')
    await bundler.drive()
    await nextBlock()
    expect([await isIncluded(vouched), await isIncluded(elsewhere)]).toEqual([true, true])
    expect(await fixture.row(held)).toMatchObject({
      ...{ state: 'submitted', reason_code: 'RATE_LIMITED' },
      reason_message: expect.stringContaining('wait until the hour is over'),
    })
    // What several callers lost leaves a part for the next one.
    for (let index = 0; index < 7; index++) await lose(`address:198.51.100.${index}`, parseEther('0.001'))
    const last = await submitHonest(await fixture.delegatedAccount(), 'address:192.0.2.3')
    await bundler.drive()
    await nextBlock()
    expect(await isIncluded(last)).toBe(true)
    await lose('address:198.51.100.9', parseEther('0.0005'))
    const more = await Promise.all([
      submitHonest(await fixture.delegatedAccount(), 'address:192.0.2.4'),
      submitHonest(paid, office),
    ])
    await bundler.drive()
    for (const hash of more) {
      expect(await fixture.row(hash)).toMatchObject({
        state: 'submitted',
        reason_code: 'BUNDLER_UNAVAILABLE',
      })
    }
    time += 3_600_000
    for (let block = 0; block < 3; block++) await nextBlock()
    for (const hash of [held, ...more]) expect(await isIncluded(hash)).toBe(true)
  })

  test('attack: newcomers of many addresses lose no more at once than what one relayer has in flight', async () => {
    const accounts = await freshAccounts(7)
    for (const [index, account] of accounts.entries()) await submitHonest(account, `address:203.0.${index}.7`)
    await bundler.drive()
    await exchangeCode(accounts)
    for (let block = 0; block < 4; block++) await nextBlock()
    const losses = await fixture.database.db.selectFrom('relayer_losses').select('wei').execute()
    expect(losses).toHaveLength(4)
  })

  test('behavior: no replacement takes it in', async () => {
    const safe = await fixture.submit(
      bundler,
      await fixture.build(bundler, await fixture.account(), [nothing]),
    )
    await bundler.drive()
    const [stuck] = await liveTransactions()
    await fixture.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('300') })
    await fixture.chain.mine({ blocks: 1 })
    expect(await isIncluded(safe)).toBe(false)
    const account = await fixture.delegatedAccount()
    const fees = { maxFeePerGas: parseGwei('900'), maxPriorityFeePerGas: parseGwei('300') }
    const operation = await fixture.buildDelegated(bundler, account, [nothing], fees)
    const hash = await submit(operation, office)
    await bundler.drive()
    await bundler.drive()
    const carrying = (await liveTransactions()).filter(({ user_op_hash }) => user_op_hash === hash)
    expect(carrying).toHaveLength(1)
    expect(carrying[0]?.nonce).not.toBe(stuck?.nonce)
  })

  test('behavior: the replacement of its stuck transaction does not send what its owner has exchanged meanwhile', async () => {
    const [account] = await freshAccounts(1)
    if (!account) throw new TypeError('one account')
    const hash = await submitCostly(account, 'address:203.0.113.9')
    await bundler.drive()
    expect(await liveTransactions()).toHaveLength(1)
    await exchangeCode([account])
    // Only the owner's transaction pays for this block.
    await fixture.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei('300') })
    for (let block = 0; block < 4; block++) {
      time += 30_000
      await nextBlock()
    }
    // Its fees would do again.
    await fixture.chain.setNextBlockBaseFeePerGas({ baseFeePerGas: 1n })
    for (let block = 0; block < 3; block++) {
      time += 61_000
      await nextBlock()
    }
    expect(await lostGas()).toBe(0n)
    expect(await fixture.row(hash ?? '0x')).toMatchObject({
      ...{ state: 'submitted', reason_code: 'OPERATION_REFUSED' },
      reason_message: expect.stringContaining('is delegated to'),
    })
  })

  const liveTransactions = () =>
    fixture.database.db
      .selectFrom('relayer_transaction_operations as link')
      .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'link.txn_hash')
      .select(['tx.nonce', 'link.user_op_hash'])
      .where('tx.state', '=', 'live')
      .where('tx.relayer', '=', relayer.toLowerCase())
      .execute()

  test('error: OPERATION_REFUSED for much data until the account has paid, since a relayer pays for it in any case', async () => {
    const large = [{ ...nothing, data: `0x${'ff'.repeat(6_000)}` as const }]
    const newcomer = await fixture.delegatedAccount()
    await expect(
      bundler.deliver(await fixture.buildDelegated(bundler, newcomer, large), office),
    ).rejects.toMatchObject({
      code: 'OPERATION_REFUSED',
      message: expect.stringContaining('until the account has paid for an operation here'),
      details: { maxBytes: '6144' },
    })
    const paid = await paidAccount()
    await bundler.deliver(await fixture.buildDelegated(bundler, paid, large), office)
  })
})
