/** @module-tag all */
import { describeOneEngine } from '@lanyard/database/testing'
import { createNetworks } from '@lanyard/networks'
import { type Hex, parseGwei } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Fixture, nothing, type OperationOptions, startFixture } from '../../test/fixture.ts'
import { encodeHandleOps } from '../entry-point/entry-point.ts'
import { type Bundler, type CheckpointName, createBundler } from '../index.ts'

describeOneEngine('a relayer on a chain that does not mine immediately', (engine) => {
  let fixture: Fixture
  let bundler: Bundler
  let time: number
  let atCheckpoint: (name: CheckpointName) => void | Promise<void>
  beforeAll(async () => {
    // The relayer pays nothing for replacements here.
    fixture = await startFixture(engine, {}, { relayerLossPerHour: '1' })
    await fixture.stopMining()
  })
  afterAll(() => fixture[Symbol.asyncDispose]())
  beforeEach(() => {
    time = Date.now() // the previous test's lease has expired
    atCheckpoint = () => {}
    bundler = fixture.bundler({ now: () => new Date(time), checkpoint: (name) => atCheckpoint(name) })
  })
  afterEach(async () => {
    await mine()
    await fixture.noticeInclusion()
    await bundler.drive()
    await mine()
    await fixture.noticeInclusion()
    await bundler.drive()
    expect((await fixture.transactions()).filter(({ state }) => state === 'live')).toEqual([])
  })

  const mine = () => fixture.chain.mine({ blocks: 1 })
  const pool = () => fixture.chain.getTxpoolStatus()
  const generous = { maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: parseGwei('20') }

  async function submitted(options: OperationOptions = generous) {
    const account = await fixture.account()
    const operation = await fixture.build(bundler, account, [nothing], options)
    return { account, operation, hash: await fixture.submit(bundler, operation) }
  }

  const rowsSince = async (count: number) => (await fixture.transactions()).slice(count)
  const rowCount = async () => (await fixture.transactions()).length

  async function sendFromElsewhere(from: 'relayer' | 'funder', data?: Hex) {
    return await fixture.chain.sendTransaction({
      account: fixture[from],
      chain: null,
      nonce: await fixture.chain.getTransactionCount({ address: fixture[from].address }),
      to: data ? bundler.entryPoint : fixture.funder.address,
      ...(data ? { data } : {}),
      gas: 1_000_000n, // otherwise anvil estimates it on the pending block, where our bundle comes first
      ...{ maxFeePerGas: parseGwei('900'), maxPriorityFeePerGas: parseGwei('300') },
    })
  }

  test('default: a transaction waits in the pool until it is mined', async () => {
    const before = await rowCount()
    const { hash } = await submitted()
    await bundler.drive()
    await bundler.drive()
    expect(await rowsSince(before)).toMatchObject([{ state: 'live' }])
    await mine()
    await bundler.drive()
    expect(await rowsSince(before)).toMatchObject([{ state: 'mined' }])
    await expect.poll(() => fixture.events(hash)).toHaveLength(1)
  })

  test('behavior: several transactions are pending at once, up to a limit', async () => {
    const before = await rowCount()
    const bounded = fixture.bundler({ settings: { maxInFlight: 2, maxOperationsPerBundle: 1 } })
    const hashes: Hex[] = []
    for (let i = 0; i < 3; i++) hashes.push((await submitted()).hash)
    await bounded.drive()
    expect(await rowsSince(before)).toMatchObject([{ state: 'live' }, { state: 'live' }])
    expect((await pool()).pending).toBe(2)
    await mine()
    await bounded.drive()
    await mine()
    for (const hash of hashes) await expect.poll(() => fixture.events(hash)).toHaveLength(1)
  })

  test('behavior: if the node drops a transaction, the same bytes are sent again', async () => {
    const before = await rowCount()
    const { hash } = await submitted()
    await bundler.drive()
    const [row] = await rowsSince(before)
    await fixture.chain.dropTransaction({ hash: row?.txn_hash as Hex })
    expect((await pool()).pending).toBe(0)
    time += 16_000
    await bundler.drive()
    expect((await pool()).pending).toBe(1)
    expect(await rowsSince(before)).toMatchObject([{ txn_hash: row?.txn_hash, state: 'live' }])
    await mine()
    await expect.poll(() => fixture.events(hash)).toHaveLength(1)
  })

  test('behavior: a stuck transaction is replaced at higher fees, at most those of the operation', async () => {
    const before = await rowCount()
    const { hash } = await submitted()
    await bundler.drive()
    await bundler.drive()
    time += 46_000
    await bundler.drive()
    const [first, second] = await rowsSince(before)
    expect(second?.nonce).toBe(first?.nonce)
    expect(Number(second?.max_fee_per_gas)).toBeGreaterThanOrEqual(Number(first?.max_fee_per_gas) * 1.125)
    expect(Number(second?.max_priority_fee_per_gas)).toBeGreaterThanOrEqual(
      Number(first?.max_priority_fee_per_gas) * 1.125,
    )
    expect(second?.max_fee_per_gas).toBeLessThanOrEqual(generous.maxFeePerGas)
    await mine()
    await bundler.drive()
    expect(await rowsSince(before)).toMatchObject([{ state: 'lost' }, { state: 'mined' }])
    await expect.poll(() => fixture.events(hash)).toHaveLength(1)
  })

  test('behavior: if a stuck transaction cannot raise its fees, an operation that pays more takes its nonce', async () => {
    const before = await rowCount()
    const poor = await submitted({})
    await bundler.drive()
    await bundler.drive()
    time += 46_000
    await bundler.drive()
    expect(await rowsSince(before)).toHaveLength(1)

    const bounded = fixture.bundler({ now: () => new Date(time), settings: { maxInFlight: 1 } })
    await bounded.drive()
    const rich = await submitted()
    time += 46_000
    await bounded.drive()
    const [first, second] = await rowsSince(before)
    expect(second?.nonce).toBe(first?.nonce)
    await mine()
    await expect.poll(() => fixture.events(rich.hash)).toHaveLength(1)
    expect(await fixture.events(poor.hash)).toHaveLength(0)
    await bounded.drive()
    await mine()
    await expect.poll(() => fixture.events(poor.hash)).toHaveLength(1)
  })

  test('behavior: if the key is used elsewhere, the operation is sent again with another nonce', async () => {
    const before = await rowCount()
    const { hash } = await submitted()
    await bundler.drive()
    await sendFromElsewhere('relayer') // same nonce, higher fees
    await mine()
    expect(await fixture.events(hash)).toHaveLength(0)
    await bundler.drive()
    await mine()
    await bundler.drive()
    expect(await rowsSince(before)).toMatchObject([{ state: 'lost' }, { state: 'mined' }])
    await expect.poll(() => fixture.events(hash)).toHaveLength(1)
  })

  test('behavior: if another bundler is faster, our transaction reverts and nothing is retried', async () => {
    const before = await rowCount()
    const { hash, operation } = await submitted()
    await bundler.drive()
    await sendFromElsewhere('funder', encodeHandleOps([operation], fixture.funder.address))
    await mine()
    await bundler.drive()
    const rows = await rowsSince(before)
    expect(rows).toMatchObject([{ state: 'lost', block_hash: expect.stringMatching(/^0x/) }])
    await expect.poll(() => fixture.events(hash)).toHaveLength(1)
    await bundler.drive()
    expect(await rowsSince(before)).toHaveLength(1)
    expect(await fixture.row(hash)).toMatchObject({ reason_code: null })
  })

  test('behavior: if another bundler includes an operation of a pending bundle, the others go without it', async () => {
    const before = await rowCount()
    // Above the fees of the other tests, so that neither counts as cheap.
    const fees = { maxFeePerGas: parseGwei('2000'), maxPriorityFeePerGas: parseGwei('800') }
    const raced = await submitted(fees)
    const other = await submitted(fees)
    await bundler.drive()
    const [row] = await rowsSince(before)
    // The node has forgotten it, so that it is not mined beside the other bundle.
    await fixture.chain.dropTransaction({ hash: row?.txn_hash as Hex })
    await sendFromElsewhere('funder', encodeHandleOps([raced.operation], fixture.funder.address))
    await mine()
    await fixture.noticeInclusion()
    await bundler.drive()
    await mine()
    await fixture.noticeInclusion()
    await bundler.drive()
    expect(await rowsSince(before)).toMatchObject([
      { state: 'lost', block_hash: null, nonce: row?.nonce },
      { state: 'mined', nonce: row?.nonce },
    ])
    for (const { hash } of [raced, other]) await expect.poll(() => fixture.events(hash)).toHaveLength(1)
  })

  test('behavior: after a reorg, the same bytes are sent again', async () => {
    const before = await rowCount()
    const { hash } = await submitted()
    const snapshot = await fixture.chain.snapshot()
    await bundler.drive()
    await mine()
    await fixture.noticeInclusion()
    await bundler.drive()
    expect(await rowsSince(before)).toMatchObject([{ state: 'mined' }])

    await fixture.chain.revert({ id: snapshot })
    await fixture.noticeInclusion()
    expect(await fixture.row(hash)).toMatchObject({ state: 'submitted' })
    await bundler.drive()
    expect(await rowsSince(before)).toMatchObject([{ state: 'live', block_hash: null }])
    await mine()
    await fixture.noticeInclusion()
    await bundler.drive()
    expect(await rowsSince(before)).toMatchObject([{ state: 'mined' }])
    await expect.poll(() => fixture.events(hash)).toHaveLength(1)
  })

  test('behavior: a gap between nonces is closed, if the relayer may pay for that', async () => {
    const before = await rowCount()
    await bundler.drive()
    const snapshot = await fixture.chain.snapshot()
    const { hash } = await submitted()
    await sendFromElsewhere('relayer')
    await mine()
    await bundler.drive() // behind the foreign transaction
    expect(await rowsSince(before)).toMatchObject([{ state: 'live' }])

    await fixture.chain.revert({ id: snapshot }) // the foreign transaction is gone
    const [row] = await rowsSince(before)
    const chainNonce = await fixture.chain.getTransactionCount({ address: fixture.relayer.address })
    expect(row?.nonce).toBe(chainNonce + 1)
    await fixture.chain.setBalance({ address: (await fixture.row(hash)).account as Hex, value: 10n ** 19n })
    time += 16_000
    await bundler.drive()
    expect(await rowsSince(before)).toMatchObject([{ state: 'live' }])

    const config = { ...fixture.network.config, relayerLossPerHour: String(10n ** 18n) }
    const paying = createBundler(createNetworks([config]).get(config.chainId), {
      ...{ database: fixture.database.db, relayers: [fixture.relayer] },
      now: () => new Date(time),
    })
    await paying.drive()
    await mine()
    await paying.drive()
    expect((await rowsSince(before)).map(({ state }) => state)).toEqual(['mined', 'mined'])
    await expect.poll(() => fixture.events(hash)).toHaveLength(1)
  })
})
