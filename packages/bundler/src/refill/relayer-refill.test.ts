import { describeEachEngine } from '@lanyard/database/testing'
import { createNetworks, networkConfig } from '@lanyard/networks'
import { randomPrivateKey } from '@lanyard/testing'
import { startRpcProxy } from '@lanyard/testing/fault-proxy'
import { type LocalAccount, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, startFixture } from '../../test/fixture.ts'
import { type SenderStep, senderSteps } from '../sender/context.ts'
import { createRelayerRefill, type RefillDependencies } from './create-relayer-refill.ts'
import type { RefillEvent } from './refill-event.ts'

const limits = { below: parseEther('1'), target: parseEther('2'), perHour: parseEther('5') }
const hour = 3_600_000

describeEachEngine('relayers that a treasury fills up', (engine) => {
  let fixture: Fixture
  beforeAll(async () => {
    fixture = await startFixture(engine)
  })
  afterAll(() => fixture[Symbol.asyncDispose]())

  /** A treasury with relayers of its own, in an hour whose budget is unused. */
  async function start({ funds = parseEther('100'), relayers = 1, ...more } = {}) {
    const treasury = privateKeyToAccount(randomPrivateKey())
    const accounts = Array.from({ length: relayers }, () => privateKeyToAccount(randomPrivateKey()))
    await fixture.chain.setBalance({ address: treasury.address, value: funds })
    await fixture.database.db.deleteFrom('relayer_refills').execute()
    const events: RefillEvent[] = []
    let offset = 0
    const dependencies: RefillDependencies = {
      database: fixture.database.db,
      treasury,
      relayers: accounts.map(({ address }) => address),
      limits,
      now: () => new Date(Date.now() + offset),
      settings: { leaseDuration: 1_000, resendAfter: 100 },
      observe: (event) => events.push(event),
      ...more,
    }
    /** A refill as in a new process; it waits until what it sent is mined. */
    const process = (changed: Partial<RefillDependencies> = {}, network = fixture.network) => {
      const { pass, hasWork } = createRelayerRefill(network, { ...dependencies, ...changed })
      return { hasWork, pass: () => pass().finally(fixture.mined) }
    }
    const balance = ({ address }: Pick<LocalAccount, 'address'>) => fixture.chain.getBalance({ address })
    const spent = async () => funds - (await balance(treasury))
    const advance = (milliseconds: number) => (offset += milliseconds)
    const outcomes = () => events.map(({ outcome }) => outcome)
    return { treasury, relayers: accounts, process, balance, spent, advance, events, outcomes }
  }

  test('default: a relayer below the mark is filled up to the target, the poorest first', async () => {
    const { relayers, process, balance, events } = await start({ relayers: 3 })
    const [full, low, empty] = relayers as [LocalAccount, LocalAccount, LocalAccount]
    await fixture.chain.setBalance({ address: full.address, value: limits.below })
    await fixture.chain.setBalance({ address: low.address, value: limits.below - 1n })
    const { pass, hasWork } = process()
    for (let passes = 0; passes < 3; passes++) await pass()
    expect(events).toMatchObject([
      { outcome: 'sent', relayer: empty.address, amount: limits.target, hash: expect.any(String) },
      { outcome: 'sent', relayer: low.address, amount: limits.target - limits.below + 1n },
    ])
    expect(await Promise.all([full, low, empty].map(balance))).toEqual([
      limits.below,
      limits.target,
      limits.target,
    ])
    expect(hasWork()).toBe(false)
  })

  test('attack: a relayer that is emptied again and again gets the hourly budget at most, fees included', async () => {
    const { relayers, process, spent, advance, outcomes } = await start()
    const [relayer] = relayers as [LocalAccount]
    const processes = [process(), process(), process()]
    for (let round = 0; round < 5; round++) {
      await fixture.chain.setBalance({ address: relayer.address, value: 0n })
      await Promise.all(processes.map(({ pass }) => pass()))
    }
    await process().pass()
    expect(await spent()).toBeGreaterThan(limits.perHour - limits.target / 20n)
    expect(await spent()).toBeLessThanOrEqual(limits.perHour)
    expect(outcomes().filter((outcome) => outcome === 'sent')).toHaveLength(3)
    expect(outcomes()).toContain('over-budget')
    const inThisHour = await spent()
    advance(hour - 60_000)
    await process().pass()
    expect(await spent()).toBe(inThisHour)
    advance(61_000)
    await process().pass()
    // Both hours leave less than the smallest transfer.
    expect(await spent()).toBeGreaterThan(limits.perHour + limits.target - limits.target / 10n)
  })

  test('attack: two processes with old balances, and two treasuries, pay a relayer once', async () => {
    const { relayers, process, balance, treasury } = await start()
    const other = privateKeyToAccount(randomPrivateKey())
    await fixture.chain.setBalance({ address: other.address, value: parseEther('100') })
    const processes = [process(), process(), process({ treasury: other }), process({ treasury: other })]
    await Promise.all(processes.map(({ pass }) => pass()))
    await Promise.all(processes.map(({ pass }) => pass()))
    expect(await balance(relayers[0] as LocalAccount)).toBe(limits.target)
    const rows = await fixture.database.db.selectFrom('relayer_refills').select('sender').execute()
    expect(rows).toHaveLength(1)
    expect([treasury, other].map(({ address }) => address.toLowerCase())).toContain(rows[0]?.sender)
  })

  test('attack: two treasuries that decide at the same time share one hourly budget', async () => {
    const { relayers, process, spent, treasury } = await start({ relayers: 2 })
    const [first, second] = relayers as [LocalAccount, LocalAccount]
    const other = privateKeyToAccount(randomPrivateKey())
    await fixture.chain.setBalance({ address: other.address, value: parseEther('100') })
    const together = { ...limits, perHour: limits.target + limits.target / 2n }
    const both = Promise.withResolvers<void>()
    let signed = 0
    const checkpoint = async (step: SenderStep) => {
      if (step !== 'signed') return
      if (++signed === 2) both.resolve()
      await both.promise
    }
    const processOf = (from: LocalAccount, { address }: LocalAccount) =>
      process({ treasury: from, relayers: [address], limits: together, checkpoint })
    await Promise.all([processOf(treasury, first), processOf(other, second)].map(({ pass }) => pass()))
    const paid = (await spent()) + parseEther('100') - (await fixture.chain.getBalance(other))
    expect(paid).toBeGreaterThanOrEqual(limits.target)
    expect(paid).toBeLessThanOrEqual(together.perHour)
  })

  test('attack: a node that shows old balances does not get a second transfer', async () => {
    const { relayers, process, balance } = await start()
    await using proxy = await startRpcProxy(fixture.node.rpcUrl)
    const network = createNetworks([
      networkConfig.parse({ ...fixture.network.config, rpcUrls: [proxy.url] }),
    ]).get(fixture.node.chainId)
    const block = await fixture.chain.getBlockNumber()
    await process({}, network).pass()
    expect(await balance(relayers[0] as LocalAccount)).toBe(limits.target)
    // The same state as before the transfer: the relayer has nothing, at an old block.
    proxy.set({
      methods: ['eth_blockNumber'],
      fault: { kind: 'lie', change: () => `0x${block.toString(16)}` },
    })
    await fixture.chain.setBalance({ address: (relayers[0] as LocalAccount).address, value: 0n })
    await process({}, network).pass()
    expect(await balance(relayers[0] as LocalAccount)).toBe(0n)
    proxy.set()
    await process({}, network).pass()
    expect(await balance(relayers[0] as LocalAccount)).toBe(limits.target)
  })

  test('behavior: an empty treasury gives what it has, then says so; the relayer is filled once it has more', async () => {
    const { treasury, relayers, process, balance, outcomes, advance } = await start({
      funds: parseEther('0.5'),
    })
    const [relayer] = relayers as [LocalAccount]
    const { pass, hasWork } = process()
    await pass()
    expect(await balance(relayer)).toBeGreaterThan(parseEther('0.4'))
    await pass()
    await pass()
    expect(outcomes()).toEqual(['sent', 'empty', 'empty'])
    expect(hasWork()).toBe(false)
    await fixture.chain.setBalance({ address: treasury.address, value: parseEther('10') })
    advance(15_000)
    expect(hasWork()).toBe(true)
    await pass()
    expect(await balance(relayer)).toBe(limits.target)
  })

  test('behavior: at fees beyond the budget nothing is sent; afterwards it is', async () => {
    const { relayers, process, balance, outcomes, spent } = await start()
    const [relayer] = relayers as [LocalAccount]
    const { baseFeePerGas } = await fixture.network.fees()
    await using proxy = await startRpcProxy(fixture.node.rpcUrl)
    const network = createNetworks([
      networkConfig.parse({
        ...fixture.network.config,
        rpcUrls: [proxy.url],
        maxFeePerGas: String(10n ** 24n),
      }),
    ]).get(fixture.node.chainId)
    const { pass } = process({}, network)
    const spike = `0x${(10n ** 15n).toString(16)}` // 1,000,000 gwei: 21,000 gas cost 42 ether at twice that
    proxy.set({
      methods: ['eth_feeHistory'],
      fault: {
        kind: 'lie',
        change: () => ({
          oldestBlock: '0x1',
          baseFeePerGas: [spike, spike],
          gasUsedRatio: [1],
          reward: [['0x1']],
        }),
      },
    })
    await pass()
    expect(outcomes()).toEqual(['over-budget'])
    expect(await spent()).toBe(0n)
    proxy.set()
    const again = process()
    expect(baseFeePerGas).toBeLessThan(10n ** 12n)
    await again.pass()
    expect(await balance(relayer)).toBe(limits.target)
  })

  test('behavior: a node that refuses is asked again, and no pass fails', async () => {
    const { relayers, process, balance, events } = await start()
    await using proxy = await startRpcProxy(fixture.node.rpcUrl)
    const network = createNetworks([
      networkConfig.parse({ ...fixture.network.config, rpcUrls: [proxy.url] }),
    ]).get(fixture.node.chainId)
    const { pass } = process({}, network)
    proxy.set({
      methods: ['eth_sendRawTransaction'],
      fault: { kind: 'error', code: -32000, message: 'insufficient funds for gas * price + value' },
    })
    await pass()
    expect(events).toMatchObject([{ outcome: 'refused', answer: 'insufficient-funds' }])
    proxy.set()
    await pass()
    expect(await balance(relayers[0] as LocalAccount)).toBe(limits.target)
  })

  test.each(senderSteps)(
    'behavior: after a crash at %s the relayer is filled up once',
    {
      tags: ['all'],
    },
    async (step) => {
      const { relayers, process, balance, spent, advance } = await start()
      // Only a stored transaction that was not sent is sent again.
      for (const crashStep of step === 'resent' ? (['row-written', step] as const) : [step]) {
        let crashed = false
        const crashing = process({
          checkpoint(reached) {
            crashed ||= reached === crashStep
            if (reached === crashStep) throw new Error('simulated crash')
          },
        })
        await crashing.pass().catch(() => {})
        expect(crashed).toBe(true)
        advance(1_500) // until its lease has expired
      }
      for (let passes = 0; passes < 3; passes++) await process().pass()
      expect(await balance(relayers[0] as LocalAccount)).toBe(limits.target)
      expect(await spent()).toBeLessThan(limits.target + parseEther('0.01'))
    },
  )

  test('behavior: a relayer that is no longer configured gets nothing, whatever the database says', async () => {
    const { relayers, process, balance, advance } = await start({ relayers: 2 })
    const [gone, kept] = relayers as [LocalAccount, LocalAccount]
    await fixture.chain.setBalance({ address: kept.address, value: limits.target })
    const crashing = process({
      checkpoint(step) {
        if (step === 'signed') throw new Error('simulated crash')
      },
    })
    await crashing.pass().catch(() => {})
    advance(1_500)
    await process({ relayers: [kept.address] }).pass()
    expect(await balance(gone)).toBe(0n)
  })
})
