/** @module-tag all */
// @promise 24 B.15

import { startRpcProxy } from '@lanyard/testing/fault-proxy'
import { expect, test } from 'vitest'
import { postJson, startHttpService } from '../../test/http-service.ts'

test('behavior: requests beyond the capacity of a slow network are refused at once with Retry-After', async () => {
  await using stack = new AsyncDisposableStack()
  let held: Promise<void> | undefined
  const limits = { rpcConcurrency: 2, rpcQueue: 2, rpcTimeout: 30_000 }
  const service = stack.use(
    await startHttpService({}, async (rpcUrl) => {
      const slow = stack.use(await startRpcProxy(rpcUrl, 0, async () => held))
      return { ...limits, rpcUrls: [slow.url] }
    }),
  )
  const create = await postJson(
    `${service.url}/smart-account/create`,
    JSON.stringify({ eoaAddress: `0x${'12'.repeat(20)}` }),
  )
  const walletAddress = create.body.wallet.scw_address
  const { promise, resolve } = Promise.withResolvers<void>()
  held = promise
  const build = (path: string) =>
    postJson(
      `${service.url}${path}`,
      JSON.stringify({ network: String(service.node.chainId), walletAddress }),
    )
  const builds = Array.from({ length: 40 }, () => build('/smart-account/transaction/build'))

  const [network] = service.service.services.networks.list()
  const rejected = await Promise.race(builds)
  expect(rejected).toMatchObject({ status: 503, body: { code: 'NETWORK_UNAVAILABLE', retryAfter: 1 } })
  expect(rejected.headers.get('retry-after')).toBe('1')
  expect(network?.load).toEqual({ active: 2, waiting: 2 })
  const overTrpc = await build('/trpc/smartAccount.build')
  expect([overTrpc.status, overTrpc.headers.get('retry-after')]).toEqual([503, '1'])
  resolve()
  await Promise.all(builds)
  await expect.poll(() => network?.load).toEqual({ active: 0, waiting: 0 })
})
