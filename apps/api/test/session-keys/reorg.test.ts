/** @module-tag all */
// @promise 3
import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inclusionsOf } from '../inclusions-of.ts'
import {
  ecdsaKey,
  fees,
  payee,
  payment,
  type SessionService,
  startSessionService,
} from './session-service.ts'

const network = 31337

/** Blocks come only with transactions and on request, so a reorg removes exactly the intended blocks. */
let service: SessionService
beforeAll(async () => {
  service = await startSessionService({
    chainIds: [network],
    blockTime: 3_600,
    settings: { finality: { confirmations: 12 } },
  })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const statusOf = async (hash: string) =>
  (await service.rest.get(`/smart-account/transaction/status?userOpHash=${hash}`)).body

test('behavior: after a reorg removes a grant and an operation of its session, both are included again in order, once each', {}, async () => {
  const { chain } = service.on(network)
  const wallet = await service.createFundedWallet([network])
  const key = ecdsaKey()
  const plan = await service.enable(wallet, network, key, [
    fees,
    { type: 'native-token-allowance', allowance: parseEther('1').toString() },
  ])
  const granted = await service.approve(wallet, plan)
  expect(granted).toMatchObject({ status: 200, body: { success: true } })
  await chain.mine({ blocks: 3 })
  const paid = await chain.getBalance({ address: payee })
  const acted = await service.act(wallet, { chainId: network, key, calls: [payment(1n)] })
  expect(acted).toMatchObject({ status: 200, body: { success: true } })
  await chain.mine({ blocks: 3 })

  await chain.request({ method: 'anvil_reorg', params: [8, []] } as never) // viem has no type for this method
  expect(await chain.getBalance({ address: payee })).toBe(paid)
  const hashes = [granted.body.userOpHash, acted.body.userOpHash]
  const isBack = async () => {
    const events = await inclusionsOf(chain, wallet.address)
    return events.map(({ args }) => args.userOpHash)
  }
  await expect.poll(isBack, { interval: 200 }).toEqual(hashes)
  expect((await chain.getBalance({ address: payee })) - paid).toBe(1n)
  await chain.mine({ blocks: 12 })
  for (const hash of hashes) {
    await expect
      .poll(() => statusOf(hash), { interval: 200 })
      .toMatchObject({ state: 'included', success: true, final: true })
  }
})
