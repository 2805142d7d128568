import { devRoles } from '@lanyard/devnet'
import { smartBalanceAbi } from '@lanyard/onchain'
import { encodeFunctionData, parseEther } from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { topUpCheckpoints } from '../../src/domain/smart-balance/settlement/checkpoints.ts'
import { readHourlyGas } from '../../src/domain/smart-balance/settlement/hourly-gas.ts'
import { createTopUp, type TopUp } from '../../src/domain/smart-balance/settlement/top-up.ts'
import type { Checkpoint } from '../../src/platform/checkpoint.ts'
import { type Fixture, startFixture } from './settlement-fixture.ts'

const chainId = 31337
const account = privateKeyToAccount(devRoles.topUp.privateKey)
const hour = 3_600_000

/** The service with the role `api` alone: the test runs the passes. */
let fixture: Fixture
/** wei */
let target: bigint
beforeAll(async () => {
  fixture = await startFixture('pglite')
  target = await readHourlyGas(
    fixture.balanceOn(chainId).network,
    BigInt(fixture.services.env.TOP_UP_PER_HOUR),
  )
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

/** Another hour, in which nothing is spent yet. */
beforeEach(async () => {
  fixture.advance(hour + 1_000)
  await fixture.on(chainId).chain.setBalance({ address: account.address, value: parseEther('10') })
})

/** A process of its own. */
const start = (checkpoint: Checkpoint = async () => {}): TopUp =>
  createTopUp({ ...fixture.services, checkpoint }, fixture.balanceOn(chainId), {
    account,
    settings: { leaseDuration: 1_000, resendAfter: 100 },
  })

/** anvil answers for a transaction before it has mined it: a top-up is waited for. */
const deposit = () =>
  fixture.on(chainId).chain.readContract({
    address: entryPoint07Address,
    abi: entryPoint07Abi,
    functionName: 'balanceOf',
    args: [fixture.on(chainId).smartBalance],
  })

/** As a thief with the operator's key would spend it. */
async function drain(left = 0n) {
  const { smartBalance } = fixture.on(chainId)
  const data = encodeFunctionData({
    abi: smartBalanceAbi,
    functionName: 'withdrawGas',
    args: [devRoles.owner.address, (await deposit()) - left],
  })
  await fixture.callAs(chainId, devRoles.owner.address, smartBalance, data)
}

/** What has left the key since, gas included. */
const spent = async () =>
  parseEther('10') - (await fixture.on(chainId).chain.getBalance({ address: account.address }))

test('default: half of it gone, it is filled up to what an hour needs; above that nothing happens', async () => {
  await drain(target / 2n)
  await start().pass()
  expect(await deposit()).toBe(target / 2n)
  await drain(target / 2n - 1n)
  const topUp = start()
  await topUp.pass()
  await expect.poll(deposit).toBe(target)
  await fixture.finalize(chainId)
  await topUp.pass()
  await topUp.pass()
  await expect.poll(deposit).toBe(target)
  expect(topUp.hasWork()).toBe(false)
  fixture.advance(15_000)
  expect(topUp.hasWork()).toBe(true)
  const rows = await fixture.db.selectFrom('gas_top_ups').selectAll().execute()
  expect(rows).toMatchObject([{ network: chainId, amount: target / 2n + 1n, final: true }])
})

test("attack: a deposit that is drained again and again gets an hour's budget in an hour, from three processes at once", async () => {
  const processes = [start(), start(), start()]
  for (let round = 0; round < 5; round++) {
    await drain()
    await Promise.all(processes.map(({ pass }) => pass()))
    await fixture.finalize(chainId)
  }
  expect(await spent()).toBeGreaterThanOrEqual(target)
  expect(await spent()).toBeLessThan(target + parseEther('0.01'))
  expect(fixture.logged).toContainEqual(
    expect.objectContaining({ msg: expect.stringContaining('spent faster than the hourly budget') }),
  )
  fixture.advance(hour + 1_000)
  await start().pass()
  await expect.poll(deposit).toBe(target)
})

test('behavior: a key without coins sends nothing, takes nothing of the budget, and says so', async () => {
  await drain()
  await fixture.on(chainId).chain.setBalance({ address: account.address, value: target / 2n })
  await start().pass()
  expect(await deposit()).toBe(0n)
  expect(fixture.logged).toContainEqual(
    expect.objectContaining({ msg: expect.stringContaining('the top-up key has too little') }),
  )
  await fixture.on(chainId).chain.setBalance({ address: account.address, value: parseEther('10') })
  await start().pass()
  await expect.poll(deposit).toBe(target)
})

test.each(topUpCheckpoints)('behavior: dies at %s: it is topped up in the end, once', async (step) => {
  await drain()
  // Only what was written and not sent is sent again.
  const deaths = step === 'top-up:resent' ? (['top-up:row-written', step] as const) : [step]
  for (const death of deaths) {
    let died = false
    const dying = start(async (reached) => {
      died ||= reached === death
      if (reached === death) throw new Error('the process dies here')
    })
    await dying.pass().catch(() => {})
    expect(died).toBe(true)
    fixture.advance(1_500) // until its lease has ended
  }
  for (let pass = 0; pass < 3; pass++) {
    await start().pass()
    await fixture.finalize(chainId)
  }
  await expect.poll(deposit).toBe(target)
  expect(await spent()).toBeLessThan(target + parseEther('0.01'))
})
