/** @module-tag all */
// @promise 24 C.4
import { usualEngine } from '@lanyard/database/testing'
import { safeAbi } from '@lanyard/onchain'
import { randomAddress, randomPrivateKey, reportFigure } from '@lanyard/testing'
import { encodeFunctionData, type Hex, parseEther, parseGwei } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, type FixtureAccount, nothing, startFixture } from '../../test/fixture.ts'
import type { Bundler } from '../index.ts'

/** Accepts every operation once it has burnt all but 60,000 gas: `JUMPDEST GAS > 60,000 JUMPI(0) RETURN(0, 0x20)`. */
const burnsAndAccepts: Hex = '0x5b61ea605a1160005760206000f3'

/** Burns all gas: `JUMPDEST JUMP(0)`. */
const loops: Hex = '0x5b600056'

let fixture: Fixture
let bundler: Bundler
let time: number
const relayer = privateKeyToAccount(randomPrivateKey())
const [burner, looper] = [randomAddress(), randomAddress()]
beforeAll(async () => {
  fixture = await startFixture(usualEngine(), {}, async (rpcUrl) => ({ sendRpcUrls: [rpcUrl] }))
  await fixture.stopMining()
  await fixture.chain.setCode({ address: burner, bytecode: burnsAndAccepts })
  await fixture.chain.setCode({ address: looper, bytecode: loops })
  await fixture.chain.setBalance({ address: relayer.address, value: parseEther('100') })
  time = Date.now()
  bundler = fixture.bundler({ relayers: [relayer], now: () => new Date(time) })
})
afterAll(() => fixture[Symbol.asyncDispose]())

async function nextBlock() {
  await fixture.chain.mine({ blocks: 1 })
  await fixture.noticeInclusion()
  time += 13_000
  await bundler.drive()
}

/** As the owner's own transaction, which comes before the relayer's. */
async function sendAs({ address }: FixtureAccount, to: Hex, data: Hex, value = 0n) {
  await fixture.chain.impersonateAccount({ address })
  await fixture.chain.sendUnsignedTransaction({
    ...{ from: address, to, data, gas: '0x7a120', value: `0x${value.toString(16)}` },
    ...{ maxFeePerGas: '0xd18c2e2800', maxPriorityFeePerGas: '0x45d964b800' },
  } as never) // anvil takes hex
  await fixture.chain.stopImpersonatingAccount({ address })
}

test('behavior: Safes whose owner exchanges the code while the bundle is in the pool: all of them owe it, and nobody else', async () => {
  const accounts: FixtureAccount[] = []
  const innocent = await fixture.account()
  await fixture.submit(bundler, await fixture.build(bundler, innocent, [nothing]))
  for (let index = 0; index < 12; index++) {
    const account = await fixture.account()
    accounts.push(account)
    await fixture.submit(bundler, await fixture.build(bundler, account, [nothing]))
  }
  await bundler.drive()
  for (let block = 0; block < 3; block++) await nextBlock()
  for (const account of accounts) {
    const data = encodeFunctionData({
      abi: entryPoint07Abi,
      functionName: 'depositTo',
      args: [account.address],
    })
    await sendAs(account, bundler.entryPoint, data, parseEther('1'))
  }
  await nextBlock()
  for (const account of accounts) {
    const built = await fixture.build(bundler, account, [nothing])
    const operation = { ...built, verificationGasLimit: 700_000n, preVerificationGas: 120_000n }
    await fixture.submit(bundler, await fixture.sign(account, operation))
  }
  await fixture.submit(bundler, await fixture.build(bundler, innocent, [nothing]))
  await bundler.drive()
  const bundles = await fixture.database.db
    .selectFrom('relayer_transaction_operations as link')
    .innerJoin('relayer_transactions as tx', 'tx.txn_hash', 'link.txn_hash')
    .innerJoin('operations', 'operations.user_op_hash', 'link.user_op_hash')
    .select(['link.txn_hash', 'operations.account'])
    .where('tx.state', '=', 'live')
    .orderBy('link.position')
    .execute()
  expect(new Set(bundles.map(({ txn_hash }) => txn_hash)).size).toBe(1)
  const isAttacker = (one: string) => accounts.some(({ address }) => address.toLowerCase() === one)
  const last = bundles.findLast(({ account }) => isAttacker(account))?.account
  for (const account of accounts) {
    const handler = account.address.toLowerCase() === last ? looper : burner
    const data = encodeFunctionData({ abi: safeAbi, functionName: 'setFallbackHandler', args: [handler] })
    await sendAs(account, account.address, data)
  }
  // Anybody can send it coins, which leaves a log of its own.
  await fixture.chain.sendTransaction({
    ...{ account: fixture.funder, chain: null, to: innocent.address, value: 1n, gas: 100_000n },
    ...{ maxFeePerGas: parseGwei('900'), maxPriorityFeePerGas: parseGwei('300') },
  })
  for (let block = 0; block < 3; block++) await nextBlock()
  const lost = (await fixture.transactions()).filter(
    ({ state, block_number }) => state === 'lost' && block_number !== null,
  )
  expect(lost).toHaveLength(1)
  const { gasUsed } = await fixture.chain.getTransactionReceipt({ hash: lost[0]?.txn_hash as Hex })
  reportFigure(24, 'gas that a relayer loses to twelve Safes whose code is exchanged', Number(gasUsed))
  expect(gasUsed).toBeLessThan(8_800_000n)
  const losses = await fixture.database.db.selectFrom('relayer_losses').selectAll().execute()
  const owing = losses.filter(({ owed, wei }) => owed === wei && owed > 0n).map(({ account }) => account)
  expect(owing.toSorted()).toEqual(accounts.map(({ address }) => address.toLowerCase()).toSorted())
})
