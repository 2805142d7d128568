/** @module-tag all */
// @promise 1 23 A.5

import { usualEngine } from '@lanyard/database/testing'
import { devRoles } from '@lanyard/devnet'
import { smartBalanceAbi } from '@lanyard/onchain'
import { encodeFunctionData, parseEther } from 'viem'
import { entryPoint07Abi, entryPoint07Address } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { topUpCheckpoints } from '../../src/domain/smart-balance/model/checkpoints.ts'
import { createTopUp, readHourlyGas, type TopUp } from '../../src/domain/smart-balance/settlement/top-up.ts'
import type { Checkpoint } from '../../src/platform/checkpoint.ts'
import { type Fixture, startFixture } from './settlement-fixture.ts'

const chainId = 31337
const account = privateKeyToAccount(devRoles.topUp.privateKey)
const hour = 3_600_000

/** The service runs with the role `api` only: the tests run the passes. */
let fixture: Fixture
/** In wei. */
let target: bigint
beforeAll(async () => {
  fixture = await startFixture(usualEngine())
  target = await readHourlyGas(
    fixture.balanceOn(chainId).network,
    BigInt(fixture.services.env.TOP_UP_PER_HOUR),
  )
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

/** Each test starts in a new hour with an unused budget. */
beforeEach(async () => {
  fixture.advance(hour + 1_000)
  await fixture.on(chainId).chain.setBalance({ address: account.address, value: parseEther('10') })
})

/** A top-up as in a new process. */
const start = (checkpoint: Checkpoint = async () => {}): TopUp =>
  createTopUp({ ...fixture.services, checkpoint }, fixture.balanceOn(chainId), {
    account,
    settings: { leaseDuration: 1_000, resendAfter: 100 },
  })

/** anvil answers a sent transaction before it is mined, so the tests poll for the deposit. */
const deposit = () =>
  fixture.on(chainId).chain.readContract({
    address: entryPoint07Address,
    abi: entryPoint07Abi,
    functionName: 'balanceOf',
    args: [fixture.on(chainId).smartBalance],
  })

/** An empty deposit gets what the fee leaves of the budget. */
const isFilled = async () => {
  const filled = await deposit()
  return filled > target - target / 10n && filled <= target
}

/** Withdraws the deposit, as an attacker with the operator's key would spend it. */
async function drain(left = 0n) {
  const { smartBalance } = fixture.on(chainId)
  const data = encodeFunctionData({
    abi: smartBalanceAbi,
    functionName: 'withdrawGas',
    args: [devRoles.owner.address, (await deposit()) - left],
  })
  await fixture.callAs(chainId, devRoles.owner.address, smartBalance, data)
}

/** The amount that left the key since the start of the test, gas included. */
const spent = async () =>
  parseEther('10') - (await fixture.on(chainId).chain.getBalance({ address: account.address }))

test('default: a deposit below half of the hourly need is topped up to the hourly need', async () => {
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

test('attack: a repeatedly drained deposit gets at most the hourly budget, fees included, even from three concurrent processes', async () => {
  const processes = [start(), start(), start()]
  for (let round = 0; round < 5; round++) {
    await drain()
    await Promise.all(processes.map(({ pass }) => pass()))
    await fixture.finalize(chainId)
  }
  expect(await spent()).toBeGreaterThan(target - target / 10n)
  expect(await spent()).toBeLessThanOrEqual(target)
  expect(fixture.logged).toContainEqual(
    expect.objectContaining({ msg: expect.stringContaining('spent faster than the hourly budget') }),
  )
  fixture.advance(hour + 1_000)
  await start().pass()
  await expect.poll(isFilled).toBe(true)
})

test('behavior: a key with too little balance sends nothing, uses no budget and logs a warning', async () => {
  await drain()
  await fixture.on(chainId).chain.setBalance({ address: account.address, value: target / 2n })
  await start().pass()
  expect(await deposit()).toBe(0n)
  expect(fixture.logged).toContainEqual(
    expect.objectContaining({ msg: expect.stringContaining('the top-up key has too little') }),
  )
  await fixture.on(chainId).chain.setBalance({ address: account.address, value: parseEther('10') })
  await start().pass()
  await expect.poll(isFilled).toBe(true)
})

test.each(topUpCheckpoints)('behavior: after a crash at %s the deposit is topped up once', async (step) => {
  await drain()
  // Only a stored transaction that was not sent is sent again.
  const crashSteps = step === 'top-up:resent' ? (['top-up:row-written', step] as const) : [step]
  for (const crashStep of crashSteps) {
    let crashed = false
    const crashing = start(async (reached) => {
      crashed ||= reached === crashStep
      if (reached === crashStep) throw new Error('simulated crash')
    })
    await crashing.pass().catch(() => {})
    expect(crashed).toBe(true)
    fixture.advance(1_500) // until its lease has expired
  }
  for (let pass = 0; pass < 3; pass++) {
    await start().pass()
    await fixture.finalize(chainId)
  }
  await expect.poll(isFilled).toBe(true)
  expect(await spent()).toBeLessThan(target + parseEther('0.01'))
})
