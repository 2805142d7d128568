/** @module-tag all */

import { usualEngine } from '@lanyard/database/testing'
import { encodeAbiParameters, keccak256, zeroHash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Operations, startOperations } from '../../../../test/operation-fixture.ts'
import { laneCount } from '../nonces.ts'

let at: Operations
beforeAll(async () => {
  at = await startOperations(usualEngine())
})
afterAll(() => at[Symbol.asyncDispose]())

/**
 * Empties the account's deposit in EntryPoint. With a deposit of earlier operations no prefund is paid, so a limit that
 * is too low would go unnoticed.
 */
async function emptyDeposit(account: `0x${string}`) {
  const slot = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [account, 0n]))
  await at.chain.setStorageAt({ address: at.network.config.entryPoint, index: slot, value: zeroHash })
}

// Regression: if the last lane was used, the estimate lacked the gas for the first use of another lane (AA26).
test('behavior: the first operation of a lane has enough gas, independent of the lanes used before', async () => {
  const { wallet, owner } = await at.createWallet()
  await at.send(wallet, owner)
  const sendBuilt = async ({ operationHash }: Awaited<ReturnType<typeof at.build>>) =>
    at.submit(wallet, owner, await at.sign(owner, operationHash))
  const held = []
  for (let lane = 0; lane < laneCount; lane++) held.push(await at.build(wallet))
  const last = held.at(-1)
  expect(last && (await sendBuilt(last)).success).toBe(true)
  await at.build(wallet) // uses the last lane again, the only lane without a build
  await at.build(wallet) // every lane has a build, so this one shares lane 0
  await emptyDeposit(wallet.address)
  const fresh = await at.build(wallet)
  expect(fresh.operation.nonce).toBe(1n << 64n)
  expect((await sendBuilt(fresh)).success).toBe(true)
})
