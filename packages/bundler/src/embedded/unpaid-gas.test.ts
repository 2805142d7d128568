/** @module-tag all */
// @promise 24 C.10

import { encodeSignature, type SignedUserOperation } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import { usualEngine } from '@lanyard/database/testing'
import { safeAbi } from '@lanyard/onchain'
import { randomAddress, randomPrivateKey, reportFigure } from '@lanyard/testing'
import { encodeFunctionData, type Hex, pad, parseEther, parseGwei } from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fixture, type FixtureAccount, nothing, startFixture } from '../../test/fixture.ts'
import { encodeHandleOps } from '../entry-point/entry-point.ts'
import type { Bundler } from '../index.ts'

/** As in remembered-senders.test.ts: accepts every operation in even blocks, and burns all its gas in odd ones. */
const loopsInOddBlocks: Hex = '0x43600116600b5760205ff35b600b56'

const rounds = 12
const honestAccounts = 40
const attackersOfEachKind = 4

/**
 * The attacks on a relayer that made it pay for operations which pay nothing, in one run with honest senders. Blocks
 * are mined by hand, so gas and blocks are the same in each run.
 */
describe('gas that nobody pays', () => {
  let fixture: Fixture
  let bundler: Bundler
  const relayer = privateKeyToAccount(randomPrivateKey())
  let time = Date.now()
  beforeAll(async () => {
    // Transactions go to an address of their own, so only who signs an operation can bring it to EntryPoint first.
    fixture = await startFixture(usualEngine(), {}, async (rpcUrl) => ({ sendRpcUrls: [rpcUrl] }))
    await fixture.stopMining()
    await fixture.chain.setBalance({ address: relayer.address, value: parseEther('100') })
    bundler = fixture.bundler({ relayers: [relayer], now: () => new Date(time) })
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  const mine = () => fixture.chain.mine({ blocks: 1 })

  async function headIsEven() {
    if ((await fixture.chain.getBlockNumber()) % 2n !== 0n) await mine()
  }

  async function nextBlock() {
    await mine()
    await noticeInclusions()
    await bundler.drive()
  }

  /** Records the inclusions of the newest block, as the service does. */
  async function noticeInclusions() {
    const head = await fixture.chain.getBlockNumber()
    const events = await fixture.chain.getContractEvents({ ...userOperationEvents, fromBlock: head })
    const ofTransaction = Map.groupBy(events, ({ transactionHash }) => transactionHash)
    for (const [transactionHash, included] of ofTransaction) {
      await fixture.database.db
        .updateTable('operations')
        .set({
          ...{ state: 'included', txn_hash: transactionHash, block_number: Number(head) },
          ...{ block_hash: included[0]?.blockHash ?? null, included_at: new Date(time), success: true },
        })
        .where(
          'user_op_hash',
          'in',
          included.flatMap(({ args }) => args.userOpHash?.toLowerCase() ?? []),
        )
        .execute()
    }
  }

  /** Submits what the bundler accepts, as one caller. */
  async function submit(operation: SignedUserOperation, sentBy: string): Promise<Hex | undefined> {
    try {
      await bundler.deliver(operation, sentBy)
    } catch (error) {
      const code = error instanceof LanyardError ? error.code : String(error)
      rejected.set(code, 1 + (rejected.get(code) ?? 0))
      return undefined
    }
    const hash = await fixture.store(operation, 'submitted')
    await fixture.database.db
      .updateTable('operations')
      .set({ sent_by: sentBy })
      .where('user_op_hash', '=', hash)
      .execute()
    return hash
  }
  const rejected = new Map<string, number>()

  /** Deployed accounts with the gas limits of an operation that does nothing. */
  async function deployedAccounts(count: number) {
    const accounts: FixtureAccount[] = []
    for (let index = 0; index < count; index++) accounts.push(await fixture.account())
    await Promise.all(
      accounts.map(async (account) =>
        fixture.submit(bundler, await fixture.build(bundler, account, [nothing])),
      ),
    )
    for (let block = 0; block < 8; block++) {
      await bundler.drive()
      await nextBlock()
    }
    return accounts
  }

  test('behavior: known attacks cost the relayer less than 2 % of what it earns, and delay nobody', async () => {
    const [honest, handlers, racers] = [
      await deployedAccounts(honestAccounts),
      await deployedAccounts(attackersOfEachKind),
      await deployedAccounts(attackersOfEachKind),
    ]
    const [first] = honest
    if (!first) throw new TypeError('no accounts')
    const limits = await fixture.build(bundler, first, [nothing])
    const signed = async (account: FixtureAccount, nonceKey = 0n) => {
      const { callGasLimit, verificationGasLimit, preVerificationGas } = limits
      const drafted = await fixture.draft(account, [nothing], { deployed: true, nonceKey })
      return fixture.sign(account, {
        ...drafted,
        ...{ callGasLimit, verificationGasLimit, preVerificationGas: preVerificationGas + 2_000n },
      })
    }
    for (const account of handlers) await putHandler(account)

    const before = await fixture.chain.getBlockNumber()
    const honestHashes: Hex[] = []
    const waits: number[] = []
    for (let round = 0; round < rounds; round++) {
      await headIsEven()
      const own = await Promise.all(
        honest.map(async (account) => submit(await signed(account), 'address:192.0.2.1')),
      )
      for (const account of handlers) await submit(await looping(account), 'address:198.51.100.1')
      const raced: SignedUserOperation[] = []
      for (const account of racers) {
        const operation = await signed(account)
        if (await submit(operation, 'address:203.0.113.1')) raced.push(operation)
      }
      await bundler.drive()
      await bundler.drive()
      // The racers bring their own operations to EntryPoint first, and take the fees.
      if (raced.length > 0) await bring(raced)
      const head = await fixture.chain.getBlockNumber()
      await nextBlock()
      await nextBlock()
      await nextBlock()
      const hashes = own.flatMap((hash) => (hash ? [hash] : []))
      expect(hashes, JSON.stringify([...rejected])).toHaveLength(honestAccounts)
      const rows = await fixture.database.db
        .selectFrom('operations')
        .select('block_number')
        .where('user_op_hash', 'in', hashes)
        .execute()
      waits.push(...rows.map(({ block_number }) => (block_number ?? Number.POSITIVE_INFINITY) - Number(head)))
      honestHashes.push(...hashes)
      time += 61_000
    }

    const events = await fixture.chain.getContractEvents({
      ...userOperationEvents,
      fromBlock: before,
      strict: true,
    })
    const sent = await fixture.transactions()
    const ours = new Set(sent.map(({ txn_hash }) => txn_hash))
    const earned = events
      .filter(({ transactionHash }) => ours.has(transactionHash))
      .reduce((sum, { args }) => sum + args.actualGasCost, 0n)
    const reverted = sent.filter(({ state, block_number }) => state === 'lost' && block_number !== null)
    const receipts = await Promise.all(
      reverted.map(({ txn_hash }) => fixture.chain.getTransactionReceipt({ hash: txn_hash as Hex })),
    )
    const lost = receipts.reduce(
      (sum, { gasUsed, effectiveGasPrice }) => sum + gasUsed * effectiveGasPrice,
      0n,
    )
    const ledger = await fixture.database.db.selectFrom('relayer_losses').selectAll().execute()
    reportFigure(
      24,
      'gas that a relayer loses to known attacks, per cent of what it earns',
      percent(lost, earned),
    )
    const p99 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? Number.POSITIVE_INFINITY
    reportFigure(24, 'blocks to the inclusion of honest operations under known attacks, p99 (1 without)', p99)
    console.log(
      `earned ${earned} wei by ${honestHashes.length} operations, lost ${lost} in ${reverted.length} transactions; refused: ${JSON.stringify([...rejected])}`,
    )
    // What was lost is in the ledger, to the wei that division rounds up.
    const recorded = ledger.reduce((sum, { wei }) => sum + wei, 0n)
    expect(recorded).toBeGreaterThanOrEqual(lost)
    expect(recorded).toBeLessThan(lost + BigInt(ledger.length))
    expect(reverted.length).toBeGreaterThan(0)
    expect(lost * 100n).toBeLessThan(earned * 2n)
    expect(p99).toBeLessThanOrEqual(2)
    expect(rejected.get('GAS_OWED')).toBeGreaterThan(rounds)
  })

  /** The owner puts another handler into the Safe, and a deposit pays, so that validation needs nothing of it. */
  async function putHandler(account: FixtureAccount) {
    const handler = randomAddress()
    await fixture.chain.setCode({ address: handler, bytecode: loopsInOddBlocks })
    const data = encodeFunctionData({ abi: safeAbi, functionName: 'setFallbackHandler', args: [handler] })
    await fixture.submit(
      bundler,
      await fixture.build(bundler, account, [{ to: account.address, value: 0n, data }]),
    )
    await bundler.drive()
    await nextBlock()
    await fixture.chain.sendTransaction({
      account: fixture.funder,
      chain: null,
      to: bundler.entryPoint,
      value: parseEther('1'),
      data: encodeFunctionData({ abi: entryPoint07Abi, functionName: 'depositTo', args: [account.address] }),
    })
    await mine()
  }

  async function looping(account: FixtureAccount): Promise<SignedUserOperation> {
    const nonceKey = BigInt(Date.now()) * 1_000n + BigInt(Math.floor(performance.now()))
    const drafted = await fixture.draft(account, [nothing], { deployed: true, nonceKey })
    return {
      ...drafted,
      callGasLimit: 50_000n,
      verificationGasLimit: 300_000n,
      preVerificationGas: 100_000n,
      signature: encodeSignature({ validAfter: 0, validUntil: 0, signatures: pad('0x', { size: 200 }) }),
    }
  }

  async function bring(operations: readonly SignedUserOperation[]) {
    await fixture.chain.sendTransaction({
      account: fixture.funder,
      chain: null,
      to: bundler.entryPoint,
      data: encodeHandleOps(operations, fixture.funder.address),
      gas: 3_000_000n,
      ...{ maxFeePerGas: parseGwei('900'), maxPriorityFeePerGas: parseGwei('300') },
    })
  }
})

const userOperationEvents = {
  address: entryPoint07Address,
  abi: entryPoint07Abi,
  eventName: 'UserOperationEvent',
} as const

const percent = (part: bigint, whole: bigint) => Number((part * 10_000n) / whole) / 100
