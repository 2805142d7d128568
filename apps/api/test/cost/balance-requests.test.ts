import type { TestDatabase } from '@lanyard/database/testing'
import { reportFigure } from '@lanyard/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OrderService, startOrderService } from '../orders/order-service.ts'
import { recordStatements } from '../statements.ts'
import { createRpcGate, mentions, type RpcTrip } from './rpc-gate.ts'

const chainIds = [31337, 31338, 31339] as const
const [first, second, third] = chainIds

const gate = createRpcGate()
let service: OrderService
beforeAll(async () => {
  // No block of its own accord: final blocks stay where they are while they are read.
  // No worker, which looks after open orders whenever its turn comes.
  const environment = { ROLES: 'api', DATABASE_URL: 'postgresql://brought-along' }
  service = await startOrderService({ chainIds, blockTime: 3_600, startProxy: gate.startProxy, environment })
  // anvil does not answer for the state of its first block, which is the final one at first.
  for (const chainId of chainIds) await service.finalize(chainId)
})
afterAll(() => service[Symbol.asyncDispose]())

const getBalance = (address: string) =>
  service.rest.get(`/v3/smartbalance/getbalance?walletAddress=${address}`)
const quote = (address: string, amount: string) =>
  service.rest.post('/v3/smartbalance/getquote', { walletAddress: address, outputNetwork: third, amount })

/** Round trips about an account, by network. */
async function tripsOf(address: string, ask: () => Promise<{ status: number }>) {
  gate.take(address)
  expect((await ask()).status).toBe(200)
  return Map.groupBy(gate.take(address), ({ network }) => network)
}

const requestsOf = (trips: readonly RpcTrip[] | undefined, method: string) =>
  (trips ?? []).flatMap(({ requests }) => requests).filter((request) => request.method === method)

/** What others ask in the same turn shares the trip. */
const callsAbout = (address: string, trips: readonly RpcTrip[] | undefined) =>
  requestsOf(trips, 'eth_call').filter((request) => mentions(request, address))

/** Counts of what leaves for the nodes: a rise is a decision, not an accident. */
describe('what a balance asks of the networks', () => {
  test('behavior: each network once, in one call, together with the number of its final block', async () => {
    const { address } = await service.createFunded(chainIds)
    const trips = await tripsOf(address, () => getBalance(address))
    for (const network of chainIds) {
      const ofNetwork = trips.get(network)
      expect(ofNetwork, String(network)).toHaveLength(1)
      expect(callsAbout(address, ofNetwork)).toHaveLength(1)
      expect(requestsOf(ofNetwork, 'eth_getBlockByNumber')).toHaveLength(1)
    }
    reportFigure(19, 'round trips of a balance to each network', trips.get(first)?.length ?? Number.NaN)
  })

  test('behavior: the same with an open order, whose debits and co-signature are asked for as well', {
    tags: ['all'],
  }, async () => {
    const { address } = await service.createFunded(chainIds)
    const request = { walletAddress: address, outputNetwork: third, amount: '150000000' }
    const { status } = await service.buildSolution(request)
    expect(status).toBe(200)
    const trips = await tripsOf(address, () => getBalance(address))
    for (const network of chainIds) {
      expect(trips.get(network), String(network)).toHaveLength(1)
      expect(callsAbout(address, trips.get(network))).toHaveLength(1)
    }
  })

  test('behavior: a quote asks each source once, too', async () => {
    const { address } = await service.createFunded(chainIds)
    const trips = await tripsOf(address, () => quote(address, '250000000'))
    expect([first, second].map((network) => trips.get(network)?.length)).toEqual([1, 1])
  })

  test('behavior: what they answer is written down by one statement', async () => {
    const { address } = await service.createFunded(chainIds)
    const statements = recordStatements(service.database as TestDatabase) // startOrderService opens one unless it is given one
    expect((await getBalance(address)).status).toBe(200)
    const writing = statements.take().filter((text) => text.startsWith('insert into "smart_balance_ledger"'))
    expect(writing).toHaveLength(1)
  })

  test('behavior: no network waits for another', async () => {
    const { address } = await service.createFunded(chainIds, 10n)
    // None is let through before all are asked: in turn, the first would be given up as unavailable.
    gate.holdUntilAsked(address, chainIds.length)
    expect((await getBalance(address)).body).toEqual({
      netBalance: '30',
      balances: Object.fromEntries(chainIds.map((network) => [network, '10'])),
    })
  })
})
