/** @module-tag all */
import { erc20Abi, parseEther } from 'viem'
import { expect, test } from 'vitest'
import { startOrderService } from '../orders/order-service.ts'

test('behavior: the faucet answers when the money is there, even if blocks take their time', async () => {
  await using service = await startOrderService({ chainIds: [31337] })
  const { address } = await service.createWallet()
  const { chain, settlementToken } = service.on(31337)
  await chain.setAutomine(false)
  await chain.setIntervalMining({ interval: 1 })
  const { status, body } = await service.rest.post('/wallet/faucet', {
    network: '31337',
    walletAddress: address,
  })
  expect(status).toBe(200)
  expect(await chain.getBalance({ address })).toBe(parseEther('1'))
  const token = { address: settlementToken.address, abi: erc20Abi, functionName: 'balanceOf' } as const
  expect(String(await chain.readContract({ ...token, args: [address] }))).toBe(body.token)
})
