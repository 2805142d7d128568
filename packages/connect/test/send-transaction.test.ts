import { afterEach, expect, test, vi } from 'vitest'
import { createLanyardProvider } from '../src/index.ts'
import { FakePage, walletOrigin } from './fake-page.ts'

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const bundle = `0x${'cd'.repeat(64)}`
const transactionHash = `0x${'12'.repeat(32)}`

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Sends a transaction. The service returns these statuses of its bundle one after the other. */
async function send(statuses: readonly (object | 'away')[]) {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const page = new FakePage()
  page.answer = ({ method }) => ({
    result:
      method === 'wallet_connect' ? { accounts: [{ address: account }], chainIds: ['0x1'] } : { id: bundle },
  })
  const left = [...statuses]
  vi.stubGlobal('fetch', async () => {
    const status = left.shift() ?? 'away'
    if (status === 'away') throw new TypeError('Failed to fetch')
    return Response.json(status)
  })
  const chain = { id: 1, rpcUrls: { default: { http: [] } } }
  const provider = createLanyardProvider({ wallet: walletOrigin, chains: [chain] })
  await provider.request({ method: 'eth_requestAccounts' })
  const sent = provider.request({
    method: 'eth_sendTransaction',
    params: [{ from: account, to: account, value: '0x1' }],
  })
  const settled = sent.catch(() => undefined).then(() => true)
  while (!(await Promise.race([settled, new Promise((resolve) => setImmediate(resolve))])))
    await vi.advanceTimersByTimeAsync(1_000)
  return { page, sent }
}

test('default: a transaction is a bundle of one call, and returns once it is included', async () => {
  const { page, sent } = await send([
    { status: 100 },
    'away',
    { status: 200, receipts: [{ transactionHash }] },
  ])
  expect(await sent).toBe(transactionHash)
  expect(page.requests.at(-1)).toMatchObject({
    method: 'wallet_sendCalls',
    params: [{ version: '2.0.0', from: account, calls: [{ to: account, value: '0x1', data: '0x' }] }],
  })
})

test('behavior: a reverted transaction also has a hash', async () => {
  const { sent } = await send([{ status: 500, receipts: [{ transactionHash }] }])
  expect(await sent).toBe(transactionHash)
})

test('error: a transaction that is not included', async () => {
  const { sent } = await send([{ status: 400 }])
  await expect(sent).rejects.toMatchObject({ code: -32603, data: { id: bundle } })
})

test('error: a service that stays unavailable', async () => {
  const { sent } = await send([])
  await expect(sent).rejects.toMatchObject({ code: 4900 })
})
