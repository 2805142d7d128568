/** @module-tag all */
// @promise 4

import { startRpcProxy } from '@lanyard/testing/fault-proxy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OrderService, startOrderService } from '../orders/order-service.ts'

const [first, second, third] = [31337, 31338, 31339] as const

let service: OrderService
/** Resolves when the second network's node may answer. */
let answering = Promise.resolve()
beforeAll(async () => {
  service = await startOrderService({
    startProxy: ({ chainId, rpcUrl }) =>
      startRpcProxy(rpcUrl, 0, async () => {
        if (chainId === second) await answering
      }),
  })
})
afterAll(() => service[Symbol.asyncDispose]())

const getBalance = async (address: string) =>
  (await service.rest.get(`/v3/smartbalance/getbalance?walletAddress=${address}`)).body

/** The second network's node accepts requests, and answers them once the result is disposed. */
function suspend(): Disposable {
  const { promise, resolve } = Promise.withResolvers<void>()
  answering = promise
  return { [Symbol.dispose]: resolve }
}

test('behavior: a network that hangs is listed as unavailable until it answers', async () => {
  const { address } = await service.createFunded([first, second, third], 10n)
  {
    using _suspended = suspend()
    expect(await getBalance(address)).toEqual({
      netBalance: '20',
      balances: { [first]: '10', [third]: '10' },
      unavailable: [second],
    })
    const { body } = await service.rest.get(`/v3/smartbalance/deposits?walletAddress=${address}`)
    expect(body.unavailable).toEqual([second])
    expect(body.deposits.map(({ network }: { network: number }) => network)).toEqual([first, third])
  }
  expect((await getBalance(address)).netBalance).toBe('30')
})

// This test runs last because the network stays down.
test('behavior: orders skip a source that is down but fail if their own network is down', async () => {
  const { address } = await service.createFunded([first, second, third])
  const earlier = await service.createFunded([first, second])
  const request = { walletAddress: address, outputNetwork: third }
  // The balance is read before the network stops, so the ledger's row is old.
  expect((await getBalance(address)).netBalance).toBe('300000000')
  process.kill(service.on(second).pid, 'SIGKILL')

  expect(await getBalance(address)).toMatchObject({ netBalance: '200000000', unavailable: [second] })
  const { body: refused } = await service.solve({ ...request, amount: '250000000' })
  expect(refused).toMatchObject({ code: 'INSUFFICIENT_FUNDS', unavailable: [second] })
  const { body: solution } = await service.solve({ ...request, amount: '150000000' })
  expect(solution.debits).toMatchObject([{ network: first }])

  const { status, body } = await service.solve({
    walletAddress: earlier.address,
    outputNetwork: second,
    amount: '1000000',
  })
  expect({ status, code: body.code }).toEqual({ status: 500, code: 'NETWORK_UNAVAILABLE' })
})
