/** @module-tag all */
import { erc20Abi, parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OrderService, startOrderService } from '../orders/order-service.ts'

let service: OrderService
beforeAll(async () => {
  service = await startOrderService({ chainIds: [31337] })
})
afterAll(() => service[Symbol.asyncDispose]())

const ask = (walletAddress: string) =>
  service.rest.post('/wallet/faucet', { network: '31337', walletAddress })

/** What an account has, beside what the faucet says that it sent. */
async function expectMoney(address: `0x${string}`, { status, body }: Awaited<ReturnType<typeof ask>>) {
  const { chain, settlementToken } = service.on(31337)
  expect(status).toBe(200)
  expect(await chain.getBalance({ address })).toBe(parseEther('1'))
  const token = { address: settlementToken.address, abi: erc20Abi, functionName: 'balanceOf' } as const
  expect(String(await chain.readContract({ ...token, args: [address] }))).toBe(body.token)
}

test('behavior: the faucet answers when the money is there, even if blocks take their time', async () => {
  const { chain } = service.on(31337)
  const { address } = await service.createWallet()
  await chain.setIntervalMining({ interval: 0 })
  const answer = ask(address)
  await expect.poll(() => chain.getTxpoolStatus()).toMatchObject({ pending: 2 })
  await chain.mine({ blocks: 1 })
  await expectMoney(address, await answer)
  await chain.setAutomine(true)
})

test('behavior: requests at the same time each get their money', async () => {
  const wallets = await Promise.all([1, 2, 3, 4].map(() => service.createWallet()))
  const answers = await Promise.all(wallets.map(({ address }) => ask(address)))
  for (const [index, answer] of answers.entries()) await expectMoney(wallets[index]?.address ?? '0x', answer)
})

test('behavior: a chain that begins again, or goes back, gets its money too', async () => {
  const { chain } = service.on(31337)
  const { address } = await service.createWallet()
  const id = await chain.snapshot()
  await expectMoney(address, await ask(address))
  await chain.mine({ blocks: 1 }) // takes what is left of the transactions out of the pool
  await chain.revert({ id })
  await expectMoney(address, await ask(address))
})
