/** @module-tag all */

import { usualEngine } from '@lanyard/database/testing'
import { type RpcProxy, startRpcProxy } from '@lanyard/testing/fault-proxy'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, startFixture } from './settlement-fixture.ts'

const [source, output] = [31338, 31337] as const
const own: RpcProxy[] = []
let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture(usualEngine(), {
    production: false, // it attests with the keys that the contract knows, which are public
    settings: {
      // Read once the chains run. The other networks have it, too: no order ends there.
      get attestorRpcUrls() {
        return own.map(({ url }) => url)
      },
    },
    async startProxy({ chainId, rpcUrl }) {
      const [proxy, ofAttestors] = [await startRpcProxy(rpcUrl), await startRpcProxy(rpcUrl)]
      if (chainId === output) own.push(ofAttestors)
      return {
        url: proxy.url,
        async [Symbol.asyncDispose]() {
          await proxy[Symbol.asyncDispose]()
          await ofAttestors[Symbol.asyncDispose]()
        },
      }
    },
  })
})
afterAll(() => fixture?.[Symbol.asyncDispose]())

test('behavior: a process that attests reads outcomes from the RPCs of attestors', async () => {
  const wallet = await fixture.createFunded([source])
  const orderId = await fixture.spend(wallet, { amount: 50_000_000n, outputNetwork: output })
  await fixture.track(output)
  await fixture.finalize(output)
  const { order } = await fixture.readOrder(orderId)
  expect(own[0]?.take().requests).toBe(0)
  await using _attestor = await fixture.start({ ROLES: 'attestor' })
  const attested = () =>
    fixture.db
      .selectFrom('attestations')
      .select('outcome')
      .where('order_hash', '=', order.order_hash ?? '')
      .execute()
  await expect.poll(attested).toContainEqual({ outcome: 'claimed' })
  expect(own[0]?.take().requests).toBeGreaterThan(0)
})
