import { BrowserProvider, verifyMessage } from 'ethers'
import { afterEach, expect, test, vi } from 'vitest'
import { createLanyardProvider } from '../src/index.ts'
import { FakePage, walletOrigin } from './fake-page.ts'

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const signature = `0x${'ab'.repeat(417)}`
const bundle = `0x${'cd'.repeat(64)}`
const transactionHash = `0x${'12'.repeat(32)}`

afterEach(() => vi.unstubAllGlobals())

/** A node's answers about the transaction that the wallet's service returns. */
const node: Readonly<Record<string, unknown>> = {
  eth_blockNumber: '0x10',
  eth_estimateGas: '0x5208',
  eth_getTransactionByHash: {
    ...{ hash: transactionHash, from: other, to: account, type: '0x2', nonce: '0x0', gas: '0x1' },
    ...{ blockHash: transactionHash, blockNumber: '0x10', transactionIndex: '0x0', chainId: '0x1' },
    ...{ maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1', input: '0x', value: '0x0', accessList: [] },
    signature: { r: transactionHash, s: transactionHash, yParity: '0x0', v: '0x1b' },
  },
}

test('behavior: an ethers BrowserProvider connects, signs and sends', async () => {
  const page = new FakePage()
  page.answer = ({ method }) => {
    if (method === 'wallet_connect')
      return { result: { accounts: [{ address: account }], chainIds: ['0x1'] } }
    return { result: method === 'wallet_sendCalls' ? { id: bundle } : signature }
  }
  vi.stubGlobal('fetch', async (url: string | URL, request?: { body: string }) => {
    if (String(url).startsWith(walletOrigin))
      return Response.json({ status: 200, receipts: [{ transactionHash }] })
    const { method } = JSON.parse(request?.body ?? '{}')
    return Response.json({ jsonrpc: '2.0', id: 1, result: node[method] ?? null })
  })
  const chain = { id: 1, rpcUrls: { default: { http: ['https://node.example'] } } }
  const provider = new BrowserProvider(createLanyardProvider({ wallet: walletOrigin, chains: [chain] }))

  const signer = await provider.getSigner()
  expect(await signer.getAddress()).toBe(account)
  expect((await provider.getNetwork()).chainId).toBe(1n)
  expect(await signer.signMessage('hello')).toBe(signature)
  expect(() => verifyMessage('hello', signature)).toThrow() // not an EOA's signature
  const types = { Greeting: [{ name: 'text', type: 'string' }] }
  expect(await signer.signTypedData({ name: 'Shop' }, types, { text: 'Hi' })).toBe(signature)
  const sent = await signer.sendTransaction({ to: other, value: 5n })
  expect(sent.hash).toBe(transactionHash)
  expect(page.requests.map(({ method, params }) => [method, params])).toEqual([
    ['wallet_connect', [{}]],
    ['personal_sign', ['0x68656c6c6f', account.toLowerCase()]],
    ['eth_signTypedData_v4', [account.toLowerCase(), expect.stringContaining('"primaryType":"Greeting"')]],
    [
      'wallet_sendCalls',
      [
        expect.objectContaining({
          from: account.toLowerCase(),
          calls: [{ to: other.toLowerCase(), value: '0x5', data: '0x' }],
        }),
      ],
    ],
  ])
  provider.destroy()
})
