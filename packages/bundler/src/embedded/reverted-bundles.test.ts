/** @module-tag all */
// @promise 24 B.14
import { describeOneEngine } from '@lanyard/database/testing'
import { randomPrivateKey } from '@lanyard/testing'
import { type Address, concat, encodeFunctionData, type Hex, numberToHex, parseEther, parseGwei } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Fixture, nothing, type OperationOptions, startFixture } from '../../test/fixture.ts'
import { encodeHandleOps } from '../entry-point/entry-point.ts'
import type { Bundler } from '../index.ts'

/**
 * A contract that takes part in every validation, with an empty context, and reverts if the given opcodes (4
 * bytes) leave a value other than 0:
 * `<condition> JUMPI(0x0f) MSTORE(0, 0x40) RETURN(0, 0x60) JUMPDEST REVERT`.
 */
const paymasterThatMinds = (condition: Hex): Hex => concat([condition, '0x600f5760405f5260605ff35b5f5ffd'])

/** GASPRICE: 0 in an eth_call that names no fees. JUMPDEST is padding. */
const mindsGasPrice = paymasterThatMinds('0x3a5b5b5b')

/**
 * NUMBER & 1: an eth_call at the head sees a different value than the block that includes the transaction.
 */
const mindsOddBlocks = paymasterThatMinds('0x43600116')

/** PUSH0: 0. JUMPDEST is padding. */
const behaves = paymasterThatMinds('0x5f5b5b5b')

/** Number of reverts after which an operation is at fault. */
const maxReverts = 3

describeOneEngine('a bundle that reverts', (engine) => {
  let fixture: Fixture
  let bundler: Bundler
  let time: number
  beforeAll(async () => {
    fixture = await startFixture(engine)
    await fixture.stopMining()
  })
  afterAll(() => fixture[Symbol.asyncDispose]())
  beforeEach(async () => {
    // Each test has its own relayer and its own budget, so that its transactions are separate.
    await fixture.database.db.deleteFrom('relayer_losses').execute()
    const relayer = privateKeyToAccount(randomPrivateKey())
    await fixture.chain.setBalance({ address: relayer.address, value: parseEther('10') })
    time = Date.now()
    bundler = fixture.bundler({ relayers: [relayer], now: () => new Date(time) })
    relayerOfTest = relayer.address
    await headIs('even')
  })

  let relayerOfTest: Address

  async function headIs(parity: 'even' | 'odd') {
    const head = await fixture.chain.getBlockNumber()
    if ((head % 2n === 0n) !== (parity === 'even')) await mine()
  }

  const mine = () => fixture.chain.mine({ blocks: 1 })

  const transactions = async () =>
    (await fixture.transactions()).filter(({ relayer }) => relayer === relayerOfTest.toLowerCase())

  const reverted = async () =>
    (await transactions()).filter(({ state, block_number }) => state === 'lost' && block_number !== null)

  async function paymaster(code: Hex): Promise<Address> {
    const { address } = privateKeyToAccount(randomPrivateKey())
    await fixture.chain.setCode({ address, bytecode: code })
    await fixture.chain.sendTransaction({
      account: fixture.funder,
      chain: null,
      to: bundler.entryPoint,
      value: parseEther('1'),
      data: encodeFunctionData({ abi: entryPoint07Abi, functionName: 'depositTo', args: [address] }),
    })
    await mine()
    await headIs('even')
    return address
  }

  /** Signs with the caller's own paymaster, which the service passes on. */
  async function sponsored(by: Address, options: OperationOptions = {}) {
    const account = await fixture.account()
    const drafted = await fixture.draft(account, [nothing], options)
    const paymasterAndData = concat([by, numberToHex(100_000n, { size: 16 }), numberToHex(0n, { size: 16 })])
    const { callGasLimit, verificationGasLimit, preVerificationGas } = await bundler.estimate({
      operation: { ...drafted, paymasterAndData },
    })
    return await fixture.sign(account, {
      ...drafted,
      callGasLimit,
      verificationGasLimit,
      preVerificationGas: preVerificationGas + 5_000n,
      paymasterAndData,
    })
  }

  const submitInnocent = async (options: OperationOptions = {}) =>
    fixture.submit(bundler, await fixture.build(bundler, await fixture.account(), [nothing], options))

  /**
   * Drives at even heads, so that simulations with a paymaster that rejects odd blocks pass; each transaction
   * lands in the next block.
   */
  async function drive(rounds: number, pause = 61_000) {
    for (let round = 0; round < rounds; round++) {
      // As if the accounts had repaid what they lost: otherwise nothing is sent for them.
      await fixture.database.db.updateTable('relayer_losses').set({ repaid_by: '0x' }).execute()
      await headIs('even')
      await bundler.drive()
      await mine()
      await fixture.noticeInclusion()
      await bundler.drive()
      time += pause
    }
  }

  test('behavior: a validation that depends on the fees is rejected before it costs anything', async () => {
    const bad = await sponsored(await paymaster(mindsGasPrice))
    const hash = await fixture.store(bad, 'submitted')
    const innocent = await submitInnocent()
    await drive(3)
    expect(await fixture.events(innocent)).toHaveLength(1)
    expect(await transactions()).toMatchObject([{ state: 'mined' }])
    expect(await fixture.row(hash)).toMatchObject({ state: 'submitted', reason_code: 'PAYMASTER_REFUSED' })
    await expect(bundler.deliver(bad)).rejects.toMatchObject({ code: 'PAYMASTER_REFUSED' })
    await end(hash)
  })

  test('behavior: a revert that simulation cannot detect costs few transactions and delays no one', async () => {
    const hash = await fixture.submit(bundler, await sponsored(await paymaster(mindsOddBlocks)))
    const innocents = [await submitInnocent(), await submitInnocent()]
    await drive(1, 1_001)
    expect(await reverted()).toHaveLength(1)
    for (const innocent of innocents) expect(await fixture.events(innocent)).toHaveLength(1)
    expect(await fixture.row(hash)).toMatchObject({ attempts: 1, reason_code: 'BUNDLER_FAILED' })

    await drive(8)
    expect(await reverted()).toHaveLength(maxReverts)
    expect(await fixture.row(hash)).toMatchObject({
      state: 'dropped',
      reason_code: 'OPERATION_REFUSED',
      reason_message: expect.stringContaining('3'),
      next_attempt_at: null,
    })
  })

  test('behavior: a steady stream of operations that revert on chain does not delay other operations', async () => {
    const rounds = 8
    const paymasters: Address[] = []
    for (let round = 0; round < rounds; round++) paymasters.push(await paymaster(mindsOddBlocks))
    const hostile: Hex[] = []
    const victims: Hex[] = []
    for (const by of paymasters) {
      await headIs('even')
      hostile.push(await fixture.submit(bundler, await sponsored(by)))
      const own = [await submitInnocent(), await submitInnocent()]
      victims.push(...own)
      await drive(1)
      // In the block after their submission, as without the others.
      for (const victim of own) expect(await fixture.events(victim)).toHaveLength(1)
    }
    await drive(12)
    const lost = await fixture.database.db
      .selectFrom('relayer_transaction_operations as link')
      .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'link.txn_hash')
      .select('link.user_op_hash')
      .where('tx.state', '=', 'lost')
      .where('link.user_op_hash', 'in', victims)
      .execute()
    expect(lost).toEqual([])
    for (const hash of hostile) expect(await fixture.row(hash)).toMatchObject({ state: 'dropped' })
    expect(await reverted()).toHaveLength(rounds * maxReverts)
  })

  test('behavior: operations of one well-behaved paymaster share bundles, and take turns with the rest', async () => {
    const by = await paymaster(behaves)
    const own = [
      await fixture.submit(bundler, await sponsored(by)),
      await fixture.submit(bundler, await sponsored(by)),
    ]
    const others = [await submitInnocent(), await submitInnocent()]
    await drive(1)
    for (const hash of [...own, ...others]) expect(await fixture.events(hash)).toHaveLength(1)
    expect(await transactions()).toHaveLength(2)
  })

  test('behavior: each revert delays the next attempt further, however often the operation is delivered', async () => {
    const operation = await sponsored(await paymaster(mindsOddBlocks))
    const hash = await fixture.submit(bundler, operation)
    const waits: number[] = []
    for (let revert = 0; revert < 2; revert++) {
      await drive(1, 0)
      const { next_attempt_at } = await fixture.row(hash)
      waits.push((next_attempt_at?.getTime() ?? 0) - time)
      await drive(1, 0) // not due
      expect(await reverted()).toHaveLength(revert + 1)
      // Simulates a recorded delivery: our own queue has the operation.
      await headIs('even')
      await bundler.deliver(operation)
      await fixture.database.db
        .updateTable('operations')
        .set({ next_attempt_at: null })
        .where('user_op_hash', '=', hash)
        .execute()
    }
    expect(waits).toEqual([1_000, 2_000])
    await drive(5)
    expect(await reverted()).toHaveLength(3)
    expect(await fixture.row(hash)).toMatchObject({ state: 'dropped' })
  })

  test('behavior: later operations on its lane are dropped with it', async () => {
    const by = await paymaster(mindsOddBlocks)
    const first = await sponsored(by)
    const hash = await fixture.submit(bundler, first)
    const later = await fixture.store({ ...first, nonce: first.nonce + 1n }, 'submitted')
    const other = await fixture.store({ ...first, nonce: (5n << 64n) | 1n }, 'submitted')
    await drive(6)
    expect(await fixture.row(hash)).toMatchObject({ state: 'dropped' })
    expect(await fixture.row(later)).toMatchObject({ state: 'dropped', reason_code: 'REBUILD' })
    expect(await fixture.row(other)).toMatchObject({ state: 'submitted' })
    await end(other)
  })

  test('behavior: new operations share a bundle, and a reverted one takes turns with them', async () => {
    const bad = await fixture.submit(bundler, await sponsored(await paymaster(mindsOddBlocks)))
    await drive(1)
    for (let round = 0; round < 3; round++) {
      const both = [await submitInnocent(), await submitInnocent()]
      await drive(1)
      for (const innocent of both) expect(await fixture.events(innocent)).toHaveLength(1)
    }
    expect(await fixture.row(bad)).toMatchObject({ state: 'dropped' })
    expect(await reverted()).toHaveLength(3)
    expect(await transactions()).toHaveLength(6)
  })

  test('behavior: if another bundler wins the race, the other operations are sent alone immediately', async () => {
    const raced = await fixture.build(bundler, await fixture.account(), [nothing])
    const racedHash = await fixture.submit(bundler, raced)
    const innocents = [await submitInnocent(), await submitInnocent()]
    await bundler.drive()
    await fixture.chain.sendTransaction({
      account: fixture.funder,
      chain: null,
      to: bundler.entryPoint,
      data: encodeHandleOps([raced], fixture.funder.address),
      gas: 1_000_000n,
      ...{ maxFeePerGas: parseGwei('900'), maxPriorityFeePerGas: parseGwei('300') },
    })
    await mine()
    await bundler.drive() // the service has not noticed the bundle that lost the race
    expect(await reverted()).toHaveLength(1)
    await mine()
    await bundler.drive()
    for (const hash of [racedHash, ...innocents]) expect(await fixture.events(hash)).toHaveLength(1)
    for (const innocent of innocents) expect(await fixture.row(innocent)).toMatchObject({ attempts: 0 })
    expect((await transactions()).map(({ state }) => state)).toEqual(['lost', 'mined', 'mined'])
    await fixture.noticeInclusion()
  })

  /** Clears the queue for the next test. */
  const end = async (hash: Hex) =>
    fixture.database.db
      .updateTable('operations')
      .set({ state: 'dropped', final: true })
      .where('user_op_hash', '=', hash)
      .execute()
})
