// @promise 19
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
  // The chains mine no blocks on their own, so the final block does not move during a read. There is no worker,
  // because a worker polls open orders at any time.
  const environment = { ROLES: 'api', DATABASE_URL: 'postgresql://brought-along' }
  service = await startOrderService({
    engine: 'pglite',
    chainIds,
    blockTime: 3_600,
    startProxy: gate.startProxy,
    environment,
  })
  // anvil cannot read the state of its first block, which is the final block at the start.
  for (const chainId of chainIds) await service.finalize(chainId)
})
afterAll(() => service[Symbol.asyncDispose]())

const getBalance = (address: string) =>
  service.rest.get(`/v3/smartbalance/getbalance?walletAddress=${address}`)
const quote = (address: string, amount: string) =>
  service.rest.post('/v3/smartbalance/getquote', { walletAddress: address, outputNetwork: third, amount })

/** The round trips that mention an account, by network. */
async function tripsOf(address: string, ask: () => Promise<{ status: number }>) {
  gate.take(address)
  expect((await ask()).status).toBe(200)
  return Map.groupBy(gate.take(address), ({ network }) => network)
}

const requestsOf = (trips: readonly RpcTrip[] | undefined, method: string) =>
  (trips ?? []).flatMap(({ requests }) => requests).filter((request) => request.method === method)

/** Other requests of the same tick share the round trip. */
const callsMentioning = (address: string, trips: readonly RpcTrip[] | undefined) =>
  requestsOf(trips, 'eth_call').filter((request) => mentions(request, address))

/** Counts the requests to the nodes, so that an increase is a deliberate decision. */
describe('network requests of a balance', () => {
  test('behavior: a balance reads each network in one call, together with its final block number', async () => {
    const { address } = await service.createFunded(chainIds)
    await getBalance(address) // finds the new final blocks
    const trips = await tripsOf(address, () => getBalance(address))
    for (const network of chainIds) {
      const networkTrips = trips.get(network)
      expect(networkTrips, String(network)).toHaveLength(1)
      expect(callsMentioning(address, networkTrips)).toHaveLength(1)
      expect(requestsOf(networkTrips, 'eth_getBlockByNumber')).toHaveLength(1)
    }
    reportFigure(19, 'round trips of a balance to each network', trips.get(first)?.length ?? Number.NaN)
  })

  test('behavior: an open order adds no call, although its debits and co-signature are read too', {
    tags: ['all'],
  }, async () => {
    const { address } = await service.createFunded(chainIds)
    const request = { walletAddress: address, outputNetwork: third, amount: '150000000' }
    const { status } = await service.buildSolution(request)
    expect(status).toBe(200)
    await getBalance(address)
    const trips = await tripsOf(address, () => getBalance(address))
    for (const network of chainIds) {
      expect(trips.get(network), String(network)).toHaveLength(1)
      expect(callsMentioning(address, trips.get(network))).toHaveLength(1)
    }
  })

  test('behavior: a quote also reads each source network once', async () => {
    const { address } = await service.createFunded(chainIds)
    await getBalance(address)
    const trips = await tripsOf(address, () => quote(address, '250000000'))
    expect([first, second].map((network) => trips.get(network)?.length)).toEqual([1, 1])
  })

  test('behavior: one statement stores the answers of all networks', async () => {
    const { address } = await service.createFunded(chainIds)
    const statements = recordStatements(service.database as TestDatabase)
    expect((await getBalance(address)).status).toBe(200)
    const inserts = statements.take().filter((text) => text.startsWith('insert into "smart_balance_ledger"'))
    expect(inserts).toHaveLength(1)
  })

  test('behavior: the networks are read in parallel', async () => {
    const { address } = await service.createFunded(chainIds, 10n)
    // The gate opens when every network has a request. Serial reads would time out at the first network.
    gate.holdUntilRequested(address, chainIds.length)
    expect((await getBalance(address)).body).toEqual({
      netBalance: '30',
      balances: Object.fromEntries(chainIds.map((network) => [network, '10'])),
    })
  })
})
