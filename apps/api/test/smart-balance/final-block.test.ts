/** @module-tag all */

import { type RpcProxy, type RpcRule, startRpcProxy } from '@lanyard/testing/fault-proxy'
import { numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OrderService, startOrderService } from '../orders/order-service.ts'

const network = 31337

let service: OrderService
let proxy: RpcProxy
beforeAll(async () => {
  service = await startOrderService({
    chainIds: [network],
    blockTime: 3_600,
    startProxy: async ({ rpcUrl }) => {
      proxy = await startRpcProxy(rpcUrl)
      return proxy
    },
  })
})
afterAll(() => service[Symbol.asyncDispose]())

const getBalance = async (address: string) =>
  (await service.rest.get(`/v3/smartbalance/getbalance?walletAddress=${address}`)).body

/** Reports an older block as final. */
async function finalBlock(number: bigint): Promise<RpcRule> {
  const older = await service
    .on(network)
    .chain.transport.request({ method: 'eth_getBlockByNumber', params: [numberToHex(number), false] })
  return {
    methods: ['eth_getBlockByNumber'],
    fault: { kind: 'lie', change: (block, { params }) => (params?.[0] === 'finalized' ? older : block) },
  }
}

test('behavior: the ledger has the values of the block that it records', async () => {
  const { address } = await service.createFunded([network], 10n)
  const { number } = await service.on(network).chain.getBlock({ blockTag: 'finalized' })
  await service.deposit(network, address, 5n)
  const written = () =>
    service.database.db
      .selectFrom('smart_balance_ledger')
      .select(['balance', 'block_number'])
      .where('account', '=', address.toLowerCase())
      .executeTakeFirst()

  proxy.set(await finalBlock(number))
  expect((await getBalance(address)).netBalance).toBe('10')
  expect(await written()).toEqual({ balance: 10n, block_number: Number(number) })

  proxy.set()
  expect((await getBalance(address)).netBalance).toBe('15')
})

test('behavior: a contract that is not a Safe has no owners but shows its deposit', async () => {
  const contract = service.on(network).settlementToken.address
  await service.deposit(network, contract, 3n)
  expect(await getBalance(contract)).toEqual({ netBalance: '3', balances: { [network]: '3' } })
})
