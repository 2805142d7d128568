// @promise 24 C.4 C.6
import type { SignedUserOperation } from '@lanyard/accounts'
import { recordInclusion } from '@lanyard/database'
import { describeEachEngine } from '@lanyard/database/testing'
import { safeAbi } from '@lanyard/onchain'
import { randomAddress, randomPrivateKey } from '@lanyard/testing'
import { encodeFunctionData, type Hex, parseEther, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Fixture, type FixtureAccount, nothing, startFixture } from '../../test/fixture.ts'
import { requiredPreVerificationGas } from '../bundle-gas.ts'
import { encodeHandleOps } from '../entry-point/entry-point.ts'
import type { Bundler } from '../index.ts'
import type { SenderEvent } from '../sender/sender-event.ts'
import { gasToRepay, rejectionForDebts } from './debts.ts'

describe('gasToRepay', () => {
  test('default: the gas that pays the debt, even if the base fee falls by a quarter', () => {
    const fees = { maxFeePerGas: 100n, maxPriorityFeePerGas: 2n }
    expect(gasToRepay(0n, fees, { baseFeePerGas: 40n })).toBe(0n)
    expect(gasToRepay(3_201n, fees, { baseFeePerGas: 40n })).toBe(101n)
    expect(gasToRepay(3_200n, { ...fees, maxFeePerGas: 10n }, { baseFeePerGas: 40n })).toBe(320n)
  })
})

describe('refusalForDebts', () => {
  const fees = { maxFeePerGas: 100n, maxPriorityFeePerGas: 2n }
  const owed = 32_000_000n
  const draft: SignedUserOperation = {
    ...{ sender: randomAddress(), nonce: 0n, initCode: '0x', callData: '0x', signature: '0x' },
    ...{
      callGasLimit: 1n,
      verificationGasLimit: 1n,
      preVerificationGas: 0n,
      paymasterAndData: '0x',
      ...fees,
    },
  }
  const preVerificationGas =
    requiredPreVerificationGas(draft) + gasToRepay(owed, fees, { baseFeePerGas: 40n })
  const judge = (baseFeePerGas: bigint, changed: Partial<SignedUserOperation> = {}) =>
    rejectionForDebts({
      operation: { ...draft, preVerificationGas, ...changed },
      ...{
        owed,
        callerLosses: 0,
        hasPaid: false,
        sentBy: null,
        external: undefined,
        fees: { baseFeePerGas },
      },
    })

  test('behavior: an operation that was built to repay goes until the base fee has fallen by a quarter', () => {
    expect([60n, 40n, 31n, 30n].map((base) => judge(base))).toEqual(Array(4).fill(undefined))
    expect(judge(29n)).toMatchObject({ code: 'GAS_OWED' })
  })

  test('error: GAS_OWED for less, and if a paymaster pays', () => {
    expect(judge(40n, { preVerificationGas: requiredPreVerificationGas(draft) })).toMatchObject({
      ...{ code: 'GAS_OWED', details: { requiredPreVerificationGas: String(preVerificationGas) } },
    })
    expect(judge(40n, { paymasterAndData: `0x${'22'.repeat(52)}` })).toMatchObject({ code: 'GAS_OWED' })
  })
})

describeEachEngine('an account that lost gas of the relayer', (engine) => {
  let fixture: Fixture
  let bundler: Bundler
  let relayer: Hex
  let events: SenderEvent[]
  beforeAll(async () => {
    fixture = await startFixture(engine, {}, async (rpcUrl) => ({
      sendRpcUrls: [rpcUrl],
      // Bundles that accounts pay are audited beside those that it pays.
      smartBalance: randomAddress(),
      settlementToken: { address: randomAddress(), symbol: 'USDC', decimals: 6 },
      nativePrice: { kind: 'fixed', price: '3000' },
    }))
    await fixture.stopMining()
  })
  afterAll(() => fixture[Symbol.asyncDispose]())
  beforeEach(async () => {
    const account = privateKeyToAccount(randomPrivateKey())
    relayer = account.address
    events = []
    await fixture.chain.setBalance({ address: relayer, value: parseEther('10') })
    bundler = fixture.bundler({ relayers: [account], observe: (event) => events.push(event) })
    await fixture.database.db.deleteFrom('relayer_losses').execute()
  })

  /** Another process, which has not seen what the account owes: one that sends learns it with its next pass. */
  const unaware = () => fixture.bundler({ relayers: [privateKeyToAccount(randomPrivateKey())] })

  async function mine() {
    await fixture.chain.mine({ blocks: 1 })
    await fixture.noticeInclusion()
    await bundler.drive()
  }

  const losses = () =>
    fixture.database.db.selectFrom('relayer_losses').selectAll().orderBy('user_op_hash').execute()

  const fast = { gas: 3_000_000n, maxFeePerGas: parseGwei('900'), maxPriorityFeePerGas: parseGwei('300') }

  const sendAs = (data: Hex, to: Hex) =>
    fixture.chain.sendTransaction({ account: fixture.funder, chain: null, to, data, ...fast })

  /** The operation of a new account in a bundle that somebody else overtakes. */
  async function raced(sentBy: string | null = null) {
    const account = await fixture.account()
    const operation = await fixture.build(bundler, account, [nothing])
    const hash = await fixture.submit(bundler, operation)
    await fixture.database.db
      .updateTable('operations')
      .set({ sent_by: sentBy })
      .where('user_op_hash', '=', hash)
      .execute()
    await bundler.drive()
    await sendAs(encodeHandleOps([operation], fixture.funder.address), bundler.entryPoint)
    await mine()
    return { account, hash }
  }

  test('default: it is refused until its next operation repays, which the next build does', async () => {
    const { account, hash } = await raced('address:192.0.2.7')
    const [loss] = await losses()
    const receipt = await fixture.chain.getTransactionReceipt({ hash: loss?.txn_hash as Hex })
    const cost = receipt.gasUsed * receipt.effectiveGasPrice
    expect(loss).toMatchObject({
      user_op_hash: hash,
      account: account.address.toLowerCase(),
      ...{ sent_by: 'address:192.0.2.7', reason: 'raced', wei: cost, owed: cost, repaid_by: null },
    })
    expect(events).toContainEqual(expect.objectContaining({ kind: 'reverted', reason: 'raced', loss: cost }))

    const unpaid = await fixture.build(unaware(), account, [nothing])
    await expect(bundler.deliver(unpaid)).rejects.toMatchObject({
      code: 'GAS_OWED',
      details: { owed: cost.toString(), requiredPreVerificationGas: expect.stringMatching(/^\d+$/) },
    })
    // One that was accepted before waits.
    const stored = await fixture.store(unpaid, 'submitted')
    await bundler.drive()
    expect(await fixture.row(stored)).toMatchObject({ state: 'submitted', reason_code: 'GAS_OWED' })
    await end(stored)

    const before = await fixture.chain.getBalance({ address: relayer })
    const repaying = await fixture.build(bundler, account, [nothing])
    expect(repaying.preVerificationGas).toBeGreaterThan(unpaid.preVerificationGas)
    const repaid = await fixture.submit(bundler, repaying)
    await bundler.drive()
    await mine()
    const [event] = await fixture.events(repaid)
    expect(event?.args).toMatchObject({ success: true })
    await include(repaid)
    expect(await losses()).toMatchObject([{ repaid_by: repaid }])
    expect((await fixture.chain.getBalance({ address: relayer })) - before).toBeGreaterThanOrEqual(cost)
    await bundler.deliver(await fixture.build(bundler, account, [nothing])) // owes nothing
  })

  test('behavior: an owner who changes the account in the block of a bundle owes it, and nobody else does', async () => {
    const accounts = [await fixture.account(), await fixture.account(), await fixture.account()]
    for (const account of accounts)
      await fixture.submit(bundler, await fixture.build(bundler, account, [nothing]))
    await bundler.drive()
    await mine()
    const hashes: Hex[] = []
    for (const account of accounts)
      hashes.push(await fixture.submit(bundler, await fixture.build(bundler, account, [nothing])))
    await bundler.drive()
    const [, culprit] = accounts
    if (!culprit) throw new TypeError('three accounts')
    await swapOwner(culprit)
    await mine()
    expect(await losses()).toMatchObject([
      { account: culprit.address.toLowerCase(), reason: 'reverted', user_op_hash: hashes[1] },
    ])
    // The others went again at once, together.
    await mine()
    for (const hash of [hashes[0], hashes[2]]) expect(await fixture.events(hash as Hex)).toHaveLength(1)
    await end(hashes[1] as Hex)
  })

  test.each([
    ['nobody owes what was sent in time and', 90, 0n],
    ['the account owes what was sent with seconds left and', 30, undefined],
  ])('behavior: %s expires while the chain stands still', async (_, left, owed) => {
    const account = await fixture.account()
    const head = await fixture.chain.getBlock()
    const validUntil = Number(head.timestamp) + 100
    const operation = await fixture.build(bundler, account, [nothing], { validUntil })
    const hash = await fixture.submit(bundler, operation)
    const sentAt = new Date((validUntil - left) * 1000)
    // As the service's own sponsorship does.
    await fixture.database.db
      .insertInto('sponsorships')
      .values({
        ...{ user_op_hash: hash, network: fixture.network.chainId, account: account.address.toLowerCase() },
        ...{ kind: 'sponsored', policy: 'all', caller: '', builder: null, day: '2026-01-01', reserved: 1n },
        ...{ charged: null, valid_until: validUntil, built_at_block: 0, created_at: sentAt },
      })
      .execute()
    await bundler.drive()
    await fixture.database.db
      .updateTable('relayer_transactions')
      .set({ created_at: sentAt })
      .where('state', '=', 'live')
      .execute()
    await fixture.chain.setNextBlockTimestamp({ timestamp: BigInt(validUntil + 60) })
    await mine()
    const [loss] = await losses()
    expect(loss).toMatchObject({ user_op_hash: hash, reason: 'reverted' })
    expect(loss?.owed).toBe(owed ?? loss?.wei)
    await end(hash)
  })

  test('behavior: an account owes what its operation paid too little, and repays it', async () => {
    bundler = fixture.bundler({
      relayers: [await newRelayer()],
      settings: { auditEvery: 0 },
      observe: (event) => events.push(event),
    })
    const account = await fixture.account()
    const built = await fixture.build(bundler, account, [nothing])
    const cheap = await fixture.sign(account, { ...built, preVerificationGas: 21_000n })
    const fair = await fixture.build(bundler, await fixture.account(), [nothing])
    const hash = await fixture.store(cheap, 'submitted') // as if it had been accepted
    await bundler.drive()
    await mine()
    await include(hash)
    const paid = await fixture.submit(bundler, fair)
    await bundler.drive()
    await mine()
    await include(paid)
    await bundler.drive()
    const [loss, ...others] = await losses()
    expect(others).toEqual([])
    expect(loss).toMatchObject({ user_op_hash: hash, reason: 'underpaid', repaid_by: null })
    expect(loss?.owed).toBeGreaterThan(0n)
    const [event] = await fixture.events(hash)
    const receipt = await fixture.chain.getTransactionReceipt({ hash: loss?.txn_hash as Hex })
    expect(loss?.owed).toBe(receipt.gasUsed * receipt.effectiveGasPrice - (event?.args.actualGasCost ?? 0n))
    expect(events).toContainEqual(expect.objectContaining({ kind: 'underpaid', loss: loss?.owed }))
    const audited = (await fixture.transactions()).find(({ txn_hash }) => txn_hash === loss?.txn_hash)
    expect(audited).toMatchObject({
      spent: receipt.gasUsed * receipt.effectiveGasPrice,
      earned: event?.args.actualGasCost,
    })

    await expect(bundler.deliver(await fixture.build(unaware(), account, [nothing]))).rejects.toMatchObject({
      ...{ code: 'GAS_OWED', details: { owed: String(loss?.owed) } },
    })
    const repaying = await fixture.submit(bundler, await fixture.build(bundler, account, [nothing]))
    await bundler.drive()
    await mine()
    await include(repaying)
    expect(await losses()).toMatchObject([{ repaid_by: repaying }])
  })

  async function newRelayer() {
    const account = privateKeyToAccount(randomPrivateKey())
    relayer = account.address
    await fixture.chain.setBalance({ address: relayer, value: parseEther('10') })
    return account
  }

  test('error: GAS_OWED for new accounts of an address after three losses; never for older ones, or for a key', async () => {
    const colleague = await fixture.account()
    for (let count = 0; count < 3; count++) {
      for (const sentBy of ['address:192.0.2.8', 'key:shop']) await raced(sentBy)
    }
    const operation = await fixture.build(bundler, await fixture.account(), [nothing])
    await expect(bundler.deliver(operation, 'address:192.0.2.8')).rejects.toMatchObject({ code: 'GAS_OWED' })
    await bundler.deliver(operation, 'key:shop')
    await bundler.deliver(operation, 'address:192.0.2.9')
    await bundler.deliver(await fixture.build(bundler, colleague, [nothing]), 'address:192.0.2.8')
  })

  /** As the owner's own transaction, not as an operation: from now on another key signs. */
  async function swapOwner({ address, signer }: FixtureAccount) {
    const sentinel = '0x0000000000000000000000000000000000000001'
    const data = encodeFunctionData({
      abi: safeAbi,
      functionName: 'swapOwner',
      args: [sentinel, signer.address, randomAddress()],
    })
    await fixture.chain.setBalance({ address: signer.address, value: parseEther('1') })
    await fixture.chain.impersonateAccount({ address })
    await fixture.chain.setBalance({ address, value: parseEther('10') })
    await fixture.chain.sendUnsignedTransaction({
      ...{ from: address, to: address, data, gas: '0x7a120' },
      ...{ maxFeePerGas: '0xd18c2e2800', maxPriorityFeePerGas: '0x45d964b800' },
    } as never) // anvil takes hex
    await fixture.chain.stopImpersonatingAccount({ address })
  }

  /** Records an inclusion as the service does. */
  async function include(hash: Hex) {
    await fixture.database.db
      .updateTable('operations')
      .set({ state: 'submitted', block_hash: null })
      .where('user_op_hash', '=', hash)
      .execute()
    const [event] = await fixture.events(hash)
    if (!event) throw new TypeError('not included')
    await recordInclusion(fixture.database.db, {
      userOpHash: hash,
      txnHash: event.transactionHash,
      blockNumber: event.blockNumber,
      blockHash: event.blockHash,
      timestamp: new Date(),
      success: true,
      gasCost: event.args.actualGasCost ?? 0n,
      revertReason: undefined,
    })
  }

  /** Clears the queue for the next test. */
  const end = async (hash: Hex) =>
    fixture.database.db
      .updateTable('operations')
      .set({ state: 'dropped', final: true })
      .where('user_op_hash', '=', hash)
      .execute()
})
