// @promise 24
import { encodeSignature, type SignedUserOperation } from '@lanyard/accounts'
import { describeEachEngine } from '@lanyard/database/testing'
import { safeAbi } from '@lanyard/onchain'
import { randomAddress, randomPrivateKey } from '@lanyard/testing'
import { type Address, encodeFunctionData, type Hex, pad, parseEther } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Fixture, type FixtureAccount, nothing, startFixture } from '../../test/fixture.ts'
import type { Bundler } from '../index.ts'

/**
 * A fallback handler that accepts every operation in even blocks and burns all its gas in odd ones:
 * `NUMBER & 1 JUMPI(0x0b) RETURN(0, 0x20) JUMPDEST JUMP(0x0b)`.
 */
const loopsInOddBlocks: Hex = '0x43600116600b5760205ff35b600b56'

describeEachEngine('an account with another fallback handler', (engine) => {
  let fixture: Fixture
  let bundler: Bundler
  let relayer: Address
  let time: number
  beforeAll(async () => {
    fixture = await startFixture(engine)
    await fixture.stopMining()
  })
  afterAll(() => fixture[Symbol.asyncDispose]())
  beforeEach(async () => {
    const account = privateKeyToAccount(randomPrivateKey())
    relayer = account.address
    await fixture.chain.setBalance({ address: relayer, value: parseEther('10') })
    time = Date.now()
    bundler = fixture.bundler({ relayers: [account], now: () => new Date(time) })
  })

  const mine = () => fixture.chain.mine({ blocks: 1 })

  async function headIsEven() {
    if ((await fixture.chain.getBlockNumber()) % 2n !== 0n) await mine()
  }

  async function drive(rounds = 1) {
    for (let round = 0; round < rounds; round++) {
      await headIsEven()
      await bundler.drive()
      await mine()
      await fixture.noticeInclusion()
      await bundler.drive()
      time += 61_000
    }
  }

  const transactions = async () =>
    (await fixture.transactions()).filter((row) => row.relayer === relayer.toLowerCase())

  const submitInnocent = async () =>
    fixture.submit(bundler, await fixture.build(bundler, await fixture.account(), [nothing]))

  /** A deployed account whose owner has put another handler into the Safe, with a deposit that pays for it. */
  async function hostileAccount(): Promise<FixtureAccount> {
    const account = await fixture.account()
    const handler = randomAddress()
    await fixture.chain.setCode({ address: handler, bytecode: loopsInOddBlocks })
    const setHandler = encodeFunctionData({
      abi: safeAbi,
      functionName: 'setFallbackHandler',
      args: [handler],
    })
    const change = await fixture.build(bundler, account, [
      { to: account.address, value: 0n, data: setHandler },
    ])
    const hash = await fixture.submit(bundler, change)
    await drive()
    expect(await fixture.events(hash)).toHaveLength(1)
    await fixture.chain.sendTransaction({
      account: fixture.funder,
      chain: null,
      to: bundler.entryPoint,
      value: parseEther('1'),
      data: encodeFunctionData({ abi: entryPoint07Abi, functionName: 'depositTo', args: [account.address] }),
    })
    await mine()
    await headIsEven()
    return account
  }

  /** Its signature is never read, so it has the size that allows most gas. */
  async function hostileOperation(
    account: FixtureAccount,
    verificationGasLimit: bigint,
  ): Promise<SignedUserOperation> {
    const drafted = await fixture.draft(account, [nothing])
    const signatures = pad('0x', { size: 200 })
    return {
      ...drafted,
      callGasLimit: 50_000n,
      verificationGasLimit,
      preVerificationGas: 100_000n,
      signature: encodeSignature({ validAfter: 0, validUntil: 0, signatures }),
    }
  }

  test('behavior: it goes alone, so that nobody waits for it, and burns little', async () => {
    const account = await hostileAccount()
    const before = (await transactions()).length
    const hash = await fixture.submit(bundler, await hostileOperation(account, 300_000n))
    const innocents = [await submitInnocent(), await submitInnocent(), await submitInnocent()]
    await drive()
    for (const innocent of innocents) expect(await fixture.events(innocent)).toHaveLength(1)
    const sent = (await transactions()).slice(before)
    expect(sent.map(({ state }) => state).toSorted()).toEqual(['lost', 'mined'])
    const burnt = sent.find(({ state }) => state === 'lost')?.txn_hash as Hex
    expect((await fixture.chain.getTransactionReceipt({ hash: burnt })).gasUsed).toBeLessThan(450_000n)
    await end(hash)
  })

  test('behavior: what a bundle’s own simulation reads decides, whatever was read before', async () => {
    const account = await hostileAccount()
    const hash = await fixture.store(await hostileOperation(account, 300_000n), 'submitted') // this process knows nothing of it
    bundler = fixture.bundler({ relayers: [await newRelayer()], now: () => new Date(time) })
    const innocents = [await submitInnocent(), await submitInnocent()]
    await drive()
    for (const innocent of innocents) expect(await fixture.events(innocent)).toHaveLength(1)
    await end(hash)
  })

  test('behavior: when the network has lost too much gas within an hour, it waits, and others go on', async () => {
    const account = await hostileAccount()
    const hash = await fixture.submit(bundler, await hostileOperation(account, 300_000n))
    const innocent = await submitInnocent()
    const lost = async (wei: bigint) => {
      await fixture.database.db.deleteFrom('relayer_losses').execute()
      const loss = { account: randomAddress(), sent_by: null, reason: 'reverted' as const, owed: 0n, wei }
      await fixture.database.db
        .insertInto('relayer_losses')
        .values({
          ...{ ...loss, txn_hash: pad('0x1'), user_op_hash: pad('0x2'), network: fixture.network.chainId },
          ...{ lost_at: new Date(time), repaid_by: null },
        })
        .execute()
    }
    const before = (await transactions()).length
    await lost(parseEther('0.01'))
    await drive()
    expect(await fixture.events(innocent)).toHaveLength(1)
    expect(await fixture.row(hash)).toMatchObject({ state: 'submitted', reason_code: 'BUNDLER_UNAVAILABLE' })
    expect((await transactions()).slice(before)).toHaveLength(1)
    await lost(parseEther('0.009'))
    await drive(2)
    expect((await transactions()).slice(before).map(({ state }) => state)).toContain('lost')
    await fixture.database.db.deleteFrom('relayer_losses').execute()
    await end(hash)
  })

  test('error: OPERATION_REFUSED with more gas for its validation than an unknown account gets', async () => {
    const account = await hostileAccount()
    await expect(bundler.deliver(await hostileOperation(account, 300_001n))).rejects.toMatchObject({
      code: 'OPERATION_REFUSED',
      details: { maxGas: '300000' },
      message: expect.stringContaining('fallback handler'),
    })
  })

  async function newRelayer() {
    const account = privateKeyToAccount(randomPrivateKey())
    relayer = account.address
    await fixture.chain.setBalance({ address: relayer, value: parseEther('10') })
    return account
  }

  /** Clears the queue for the next test. */
  const end = async (hash: Hex) =>
    fixture.database.db
      .updateTable('operations')
      .set({ state: 'dropped', final: true })
      .where('user_op_hash', '=', hash)
      .execute()
})
