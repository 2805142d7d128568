import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createLanyardProvider } from '../src/index.ts'
import { grantable } from '../src/protocol.ts'
import { FakePage, pageOrigin, walletOrigin } from './fake-page.ts'

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const hash = `0x${'ab'.repeat(32)}`
const bundle = `0x${'cd'.repeat(64)}`

const chains = [1, 2, 3].map((id) => ({ id, rpcUrls: { default: { http: ['http://127.0.0.1:1'] } } }))
const [first, ...others] = chains
const connection = { accounts: [{ address: account }], chainIds: ['0x1', '0x2'] }

afterEach(() => vi.unstubAllGlobals())

function open(wallet = walletOrigin) {
  const page = new FakePage()
  if (!first) throw new TypeError('no chain')
  const create = () => createLanyardProvider({ wallet, chains: [first, ...others] })
  const provider = create()
  const ask = (method: string, ...params: unknown[]) => provider.request({ method, params })
  return { page, provider, ask, create }
}

async function connected() {
  const opened = open()
  opened.page.answer = ({ method }) => ({ result: method === 'wallet_connect' ? connection : hash })
  await opened.ask('eth_requestAccounts')
  return opened
}

describe('handshake', () => {
  test('default: opens the popup within the call, and sends it the request over a port', async () => {
    const { page, ask } = open()
    page.answer = () => ({ result: connection })
    const answer = ask('eth_requestAccounts')
    expect(page.popups).toHaveLength(1) // opened without awaiting anything
    expect(await answer).toEqual([account])
    const [popup] = page.popups
    expect(popup?.url.startsWith(`${walletOrigin}/connect#v=1&nonce=`)).toBe(true)
    expect(popup?.invitation.origin).toBe(pageOrigin)
    const { message, targetOrigin } = (await popup?.connected.promise) ?? {}
    expect(message).toEqual({ type: 'lanyard:connect', nonce: popup?.invitation.nonce })
    expect(targetOrigin).toBe(walletOrigin)
    expect(page.requests).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'wallet_connect', params: [{}], chainId: 1 },
    ])
    expect(popup?.closed).toBe(true)
  })

  test.each(['origin', 'source', 'nonce', 'type'] as const)(
    'behavior: a ready message with another %s is ignored',
    async (wrong) => {
      const { page, ask } = open()
      page.isReachable = false
      const answer = ask('eth_requestAccounts')
      const [popup] = page.popups
      if (!popup) throw new TypeError('no popup')
      popup.closed = false
      page.post(
        {
          type: wrong === 'type' ? 'lanyard:connect' : 'lanyard:ready',
          nonce: wrong === 'nonce' ? '0'.repeat(32) : popup.invitation.nonce,
        },
        wrong === 'origin' ? 'https://evil.example' : walletOrigin,
        wrong === 'source' ? {} : popup,
      )
      popup.close()
      await expect(answer).rejects.toMatchObject({ code: 4900, data: { reason: 'WALLET_NOT_READY' } })
    },
  )

  test('behavior: every popup has its own nonce', async () => {
    const { page, ask } = await connected()
    await ask('personal_sign', '0x68', account)
    const [a, b] = page.popups
    expect(a?.invitation.nonce).not.toBe(b?.invitation.nonce)
  })

  test('error: a blocked popup, a popup without an opener and a closed popup are three different errors', async () => {
    const { page, ask } = open()
    page.blocksPopups = true
    await expect(ask('eth_requestAccounts')).rejects.toMatchObject({
      code: 4900,
      data: { reason: 'POPUP_BLOCKED' },
    })
    page.blocksPopups = false
    page.isReachable = false
    await expect(ask('eth_requestAccounts')).rejects.toMatchObject({
      code: 4900,
      data: { reason: 'WALLET_NOT_READY' },
    })
    page.isReachable = true
    page.answer = () => 'close'
    await expect(ask('eth_requestAccounts')).rejects.toMatchObject({ code: 4001 })
  })

  test('error: a popup that is never ready ends after a minute', async () => {
    vi.useFakeTimers()
    const { page, ask } = open()
    page.isReachable = false
    const answer = ask('eth_requestAccounts')
    const popup = page.popups[0]
    if (popup) popup.closed = false
    const rejected = expect(answer).rejects.toMatchObject({ code: 4900 })
    await vi.advanceTimersByTimeAsync(60_000)
    vi.useRealTimers()
    await rejected
  })

  test('error: only one request is allowed at a time', async () => {
    const { page, ask } = open()
    const answer = ask('eth_requestAccounts')
    await expect(ask('wallet_connect', {})).rejects.toMatchObject({ code: -32002 })
    expect(page.popups).toHaveLength(1)
    expect(page.popups[0]?.focused).toBe(1)
    page.popups[0]?.close()
    await expect(answer).rejects.toMatchObject({ name: 'ConnectError' })
  })
})

describe('connection', () => {
  test('behavior: a connection emits events, is kept for the next visit, and ends locally', async () => {
    const { page, provider, ask, create } = open()
    const events: unknown[] = []
    provider.on('connect', (info) => events.push(['connect', info]))
    provider.on('accountsChanged', (accounts) => events.push(['accountsChanged', accounts]))
    provider.on('disconnect', ({ code }) => events.push(['disconnect', code]))
    page.answer = () => ({ result: connection })
    expect(await ask('eth_accounts')).toEqual([])
    expect(await ask('wallet_connect', { version: '1' })).toEqual(connection)
    expect(await create().request({ method: 'eth_accounts' })).toEqual([account])
    expect(await ask('eth_requestAccounts')).toEqual([account])
    expect(page.popups).toHaveLength(1)
    await ask('wallet_disconnect')
    expect(await ask('eth_accounts')).toEqual([])
    expect(await create().request({ method: 'eth_accounts' })).toEqual([])
    expect(events).toEqual([
      ['connect', { chainId: '0x1' }],
      ['accountsChanged', [account]],
      ['accountsChanged', []],
      ['disconnect', 4900],
    ])
  })

  test('behavior: a removed listener is not called', async () => {
    const { page, provider, ask } = open()
    const listener = vi.fn()
    provider.on('accountsChanged', listener).removeListener('accountsChanged', listener)
    page.answer = () => ({ result: connection })
    await ask('eth_requestAccounts')
    expect(listener).not.toHaveBeenCalled()
  })

  test('behavior: a page that the wallet has revoked is no longer connected', async () => {
    const { page, ask } = await connected()
    page.answer = () => ({ error: { code: 4100, message: 'Not connected.' } })
    await expect(ask('personal_sign', '0x68', account)).rejects.toMatchObject({ code: 4100 })
    expect(await ask('eth_accounts')).toEqual([])
  })

  test('behavior: switches locally between the networks that page and wallet share', async () => {
    const { provider, ask } = await connected()
    const listener = vi.fn()
    provider.on('chainChanged', listener)
    expect(await ask('wallet_switchEthereumChain', { chainId: '0x2' })).toBe(null)
    expect(await ask('eth_chainId')).toBe('0x2')
    expect(listener).toHaveBeenCalledWith('0x2')
    for (const chainId of ['0x3', '0x4', undefined])
      await expect(ask('wallet_switchEthereumChain', { chainId })).rejects.toMatchObject({ code: 4902 })
  })

  test('behavior: if the wallet lacks the current network, its first network becomes current', async () => {
    const { page, ask } = open()
    page.answer = () => ({ result: { ...connection, chainIds: ['0x3'] } })
    await ask('eth_requestAccounts')
    expect(await ask('eth_chainId')).toBe('0x3')
  })

  test('behavior: reports what session keys enforce, on the networks that have them, and asks the wallet for one', async () => {
    const { page, ask } = open()
    page.answer = () => ({ result: { ...connection, grantChainIds: ['0x2'] } })
    await ask('eth_requestAccounts')
    expect(await ask('wallet_getCapabilities', account)).toEqual({
      '0x1': { atomic: { status: 'supported' } },
      '0x2': { atomic: { status: 'supported' }, permissions: grantable },
    })
    page.answer = (request) => ({ result: request })
    const request = {
      chainId: '0x2',
      expiry: 2_000_000_000,
      permissions: [{ type: 'native-token-transfer' }],
    }
    expect(await ask('wallet_grantPermissions', request)).toMatchObject({
      ...{ method: 'wallet_grantPermissions', chainId: 2, params: [{ ...request, address: account }] },
    })
    await expect(ask('wallet_grantPermissions', { ...request, chainId: '0x9' })).rejects.toMatchObject({
      code: 5710,
    })
    await expect(ask('wallet_grantPermissions', { ...request, address: other })).rejects.toMatchObject({
      code: 4100,
    })
  })

  test('behavior: without session keys, reports atomic batches as the only capability', async () => {
    const { ask } = await connected()
    const atomic = { atomic: { status: 'supported' } }
    expect(await ask('wallet_getCapabilities', account)).toEqual({ '0x1': atomic, '0x2': atomic })
    expect(await ask('wallet_getCapabilities', account, ['0x2'])).toEqual({ '0x2': atomic })
    await expect(ask('wallet_getCapabilities', other)).rejects.toMatchObject({ code: 4100 })
  })

  test('behavior: announces itself immediately and on request (EIP-6963)', () => {
    const page = new FakePage()
    const details: { info: Record<string, string>; provider: unknown }[] = []
    page.addEventListener('eip6963:announceProvider', (event) => details.push(Reflect.get(event, 'detail')))
    if (!first) throw new TypeError('no chain')
    const provider = createLanyardProvider({ wallet: `${walletOrigin}/`, chains: [first] })
    page.dispatchEvent(new Event('eip6963:requestProvider'))
    expect(details).toHaveLength(2)
    expect(details[0]?.provider).toBe(provider)
    expect(details[0]?.info).toEqual({
      name: 'Lanyard',
      rdns: 'example.wallet',
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/),
      icon: expect.stringMatching(/^data:image\/svg\+xml,/),
    })
    expect(details[1]?.info).toEqual(details[0]?.info)
  })

  test('behavior: can be created on a server, and is not connected there', async () => {
    if (!first) throw new TypeError('no chain')
    const provider = createLanyardProvider({ wallet: walletOrigin, chains: [first] })
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
    await expect(provider.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: 4900 })
  })
})

describe('requests', () => {
  test('default: sends messages to the wallet with the current network', async () => {
    const { page, ask } = await connected()
    await ask('wallet_switchEthereumChain', { chainId: '0x2' })
    expect(await ask('personal_sign', '0x68', account.toLowerCase())).toBe(hash)
    expect(await ask('eth_signTypedData_v4', account, '{}')).toBe(hash)
    expect(page.requests.slice(1)).toMatchObject([
      { method: 'personal_sign', params: ['0x68', account.toLowerCase()], chainId: 2 },
      { method: 'eth_signTypedData_v4', params: [account, '{}'], chainId: 2 },
    ])
  })

  test('error: no popup opens without a connection or for another account', async () => {
    const { page, ask } = open()
    const calls = { version: '2.0.0', chainId: '0x1', atomicRequired: true, calls: [] }
    for (const [method, ...params] of [
      ['personal_sign', '0x68', account],
      ['eth_signTypedData_v4', account, '{}'],
      ['wallet_sendCalls', calls],
      ['eth_sendTransaction', { from: account, to: other }],
    ] as const)
      await expect(ask(method, ...params)).rejects.toMatchObject({ code: 4100 })
    expect(page.popups).toEqual([])
    const { page: second, ask: askSecond } = await connected()
    await expect(askSecond('personal_sign', '0x68', other)).rejects.toMatchObject({ code: 4100 })
    expect(second.popups).toHaveLength(1)
  })

  test.each([
    'eth_sign',
    'eth_signTypedData',
    'eth_signTypedData_v3',
    'eth_signTransaction',
    'wallet_addEthereumChain',
    'wallet_requestExecutionPermissions',
    'wallet_requestPermissions',
  ])('error: %s fails with 4200', async (method) => {
    const { ask } = await connected()
    await expect(ask(method, account)).rejects.toMatchObject({ code: 4200 })
  })

  test("behavior: sends calls with account and network, and keeps the page's own id", async () => {
    const { page, ask } = await connected()
    page.answer = () => ({ result: { id: bundle } })
    const calls = [{ to: other, value: '0x1' }]
    expect(await ask('wallet_sendCalls', { version: '2.0.0', calls })).toEqual({ id: bundle })
    expect(page.requests.at(-1)).toMatchObject({
      chainId: 1,
      params: [{ version: '2.0.0', from: account, chainId: '0x1', calls }],
    })
    const own = { version: '2.0.0', id: 'mine', chainId: '0x2', calls }
    expect(await ask('wallet_sendCalls', own)).toEqual({ id: 'mine' })
    expect(page.requests.at(-1)?.chainId).toBe(2)
    await expect(ask('wallet_sendCalls', own)).rejects.toMatchObject({ code: 5720 })
    await ask('wallet_showCallsStatus', 'mine')
    expect(page.requests.at(-1)).toMatchObject({ method: 'wallet_showCallsStatus', params: [bundle] })
  })

  test.each([
    ['another network', { chainId: '0x3' }, 5710],
    ['a capability', { capabilities: { paymasterService: { url: 'https://pay.example' } } }, 5700],
    ['a capability of a call', { calls: [{ to: other, capabilities: { gasLimitOverride: {} } }] }, 5700],
  ])('error: %s is rejected without a popup', async (_name, change, code) => {
    const { page, ask } = await connected()
    const request = { version: '2.0.0', calls: [{ to: other }], ...change }
    await expect(ask('wallet_sendCalls', request)).rejects.toMatchObject({ code })
    expect(page.popups).toHaveLength(1)
  })

  const malformed = [
    [],
    [null],
    [undefined, null],
    [7, 'x'],
    ['0x', {}],
    [{}],
    [{ calls: [null] }],
    [[[]], []],
  ]
  const methods = [
    'eth_accounts',
    'eth_chainId',
    'eth_requestAccounts',
    'wallet_connect',
    'wallet_switchEthereumChain',
    'personal_sign',
    'eth_signTypedData_v4',
    'wallet_sendCalls',
    'eth_sendTransaction',
    'wallet_getCallsStatus',
    'wallet_showCallsStatus',
    'wallet_getCapabilities',
    'wallet_grantPermissions',
  ]
  test.each(methods)(
    'error: %s with malformed parameters fails with a code, and the provider still works',
    async (method) => {
      const { page, ask } = await connected()
      page.answer = () => ({ error: { code: -32602, message: 'Malformed.' } })
      for (const params of malformed) {
        const code = await ask(method, ...params).then(
          () => undefined,
          (error: { code: unknown }) => ({ code: error.code }),
        )
        if (code) expect(code).toEqual({ code: expect.any(Number) })
      }
      expect(await ask('eth_accounts')).toEqual([account])
      page.answer = () => ({ result: hash })
      expect(await ask('personal_sign', '0x68', account)).toBe(hash)
    },
  )

  test.each([undefined, null, {}, { method: 7 }, 'eth_accounts'])(
    'error: %o is not a request',
    async (request) => {
      const { provider } = await connected()
      await expect(provider.request(request as never)).rejects.toMatchObject({ code: -32602 })
    },
  )

  test('behavior: an optional capability is omitted', async () => {
    const { page, ask } = await connected()
    page.answer = () => ({ result: { id: bundle } })
    const capabilities = { paymasterService: { url: 'https://pay.example', optional: true } }
    expect(await ask('wallet_sendCalls', { version: '2.0.0', calls: [], capabilities })).toEqual({
      id: bundle,
    })
  })
})

describe('services', () => {
  /** A wallet's service, or a node. */
  async function serve(answer: (path: string, body: string) => { status?: number; body: unknown }) {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { status = 200, body } = answer(request.url ?? '', Buffer.concat(chunks).toString())
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // a TCP server has a port
    return {
      url: `http://127.0.0.1:${port}`,
      async [Symbol.asyncDispose]() {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      },
    }
  }

  test('behavior: the status of calls is read without a popup; an unknown bundle is 5730', async () => {
    const requested: string[] = []
    await using wallet = await serve((path) => {
      requested.push(path)
      return path.endsWith(bundle) ? { body: { status: 200, id: bundle } } : { status: 404, body: {} }
    })
    const { page, ask } = open(wallet.url)
    expect(await ask('wallet_getCallsStatus', bundle)).toEqual({ status: 200, id: bundle })
    await expect(ask('wallet_getCallsStatus', 'x&y')).rejects.toMatchObject({ code: 5730 })
    expect(requested).toEqual([`/connect/calls-status?id=${bundle}`, '/connect/calls-status?id=x%26y'])
    expect(page.popups).toEqual([])
  })

  test('behavior: methods that need no wallet go to the RPC of the current network', async () => {
    await using node = await serve((_path, body) => {
      const { method, params } = JSON.parse(body)
      if (method === 'eth_call') return { body: { error: { code: 3, message: 'reverted', data: '0x01' } } }
      return { body: { result: [method, params] } }
    })
    new FakePage()
    const chain = { id: 1, rpcUrls: { default: { http: [node.url] } } }
    const provider = createLanyardProvider({ wallet: walletOrigin, chains: [chain] })
    expect(await provider.request({ method: 'eth_getBalance', params: [account, 'latest'] })).toEqual([
      'eth_getBalance',
      [account, 'latest'],
    ])
    await expect(provider.request({ method: 'eth_call', params: [] })).rejects.toMatchObject({
      code: 3,
      data: '0x01',
    })
  })

  test('error: a node that does not answer fails with 4900', async () => {
    const { ask } = open()
    await expect(ask('eth_blockNumber')).rejects.toMatchObject({ code: 4900 })
  })
})
