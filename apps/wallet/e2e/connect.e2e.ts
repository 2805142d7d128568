/** @module-tag all */
import { fileURLToPath } from 'node:url'
import { grantable } from '@lanyard/connect/protocol'
import type { Page } from 'playwright-core'
import { type Address, encodeFunctionData, erc20Abi, maxUint256, stringToHex } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { afterAll, expect } from 'vitest'
import { findBarriers } from './accessibility.ts'
import { tooWideWithLargeText } from './large-text.ts'
import { type ServedPage, serveProviderPage } from './serve-page.ts'
import { describeOnStage } from './stage.ts'

/** Anvil's third account. */
const shop: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const permit2: Address = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const nonce = '0123456789abcdef'.repeat(2)

interface Answer {
  readonly result?: unknown
  readonly code?: number
  readonly message?: string
  readonly reason?: string
}

describeOnStage('Connect in a browser', ({ service, browser, page, chapter, go }) => {
  const served: ServedPage[] = []
  let app: Page
  let origin: string
  let account: Address
  afterAll(() => Promise.all(served.map((one) => one[Symbol.asyncDispose]())))

  /** A page on its own origin, with a provider. */
  async function openApp(headers: Record<string, string> = {}) {
    const server = await serveProviderPage(headers)
    served.push(server)
    const opened = await browser().context.newPage()
    await opened.goto(server.origin)
    await opened.waitForFunction('window.createLanyardProvider')
    const parameters = JSON.stringify({
      wallet: service().url,
      chains: [{ id: 31_337, rpcUrls: { default: { http: [service().rpcUrl] } } }],
    })
    await opened.evaluate(`window.provider = window.createLanyardProvider(${parameters}); undefined`)
    return { opened, origin: server.origin }
  }

  /** Clicks the page's button to send a request. */
  async function press(from: Page, method: string, params: readonly unknown[] = []) {
    await from.evaluate(`window.next = ${JSON.stringify({ method, params })}`)
    await from.getByRole('button', { name: 'Ask' }).click()
  }
  // the type that the page stores
  const answerOf = (from: Page) => from.evaluate('window.answer') as Promise<Answer>

  /** Opens the wallet's window for a request. */
  async function ask(method: string, params: readonly unknown[] = [], from = app): Promise<Page> {
    const [popup] = await Promise.all([from.waitForEvent('popup'), press(from, method, params)])
    await browser().authenticator.shareWith(await browser().context.newCDPSession(popup))
    return popup
  }
  const button = (popup: Page, name: string) => popup.getByRole('button', { name, exact: true })
  /** Clicks what closes the window, which may be gone before the click has ended. */
  async function closeBy(popup: Page, name: 'Decline' | 'Close') {
    await button(popup, name)
      .click()
      .catch((error: unknown) => {
        if (!popup.isClosed()) throw error
      })
    await expect.poll(() => popup.isClosed()).toBe(true)
  }

  /** Takes screenshots of the wallet's window in both themes, and checks its accessibility. */
  async function look(popup: Page, name: string) {
    await popup.setViewportSize({ width: 360, height: 740 })
    for (const colorScheme of ['dark', 'light'] as const) {
      await popup.emulateMedia({ colorScheme })
      expect(await findBarriers(popup), `${name} ${colorScheme}`).toEqual([])
      const overflow = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
      expect(await popup.evaluate(overflow), `${name} is wider than the window`).toBe(false)
      const path = fileURLToPath(new URL(`../artifacts/${name}-360-${colorScheme}.png`, import.meta.url))
      await popup.screenshot({ path, fullPage: true })
    }
    expect(await tooWideWithLargeText(popup), `${name} with large text`).toEqual([])
  }

  chapter('says that there is no account in the browser, and continues once there is one', async (page) => {
    ;({ opened: app, origin } = await openApp())
    const popup = await ask('eth_requestAccounts')
    await popup.getByText('No account in this browser').waitFor()
    await look(popup, 'connect-no-account')
    await page.bringToFront()
    await page.getByLabel('Username', { exact: true }).fill('heidi-of-the-high-alps')
    await page.getByText('Available', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Create with a passkey' }).click()
    await page.getByRole('button', { name: 'Get test money on Local 1' }).click()
    await page.getByText('Test money arrived on Local 1.').waitFor({ state: 'attached' })
    await popup.bringToFront()
    await popup.getByText('heidi-of-the-high-alps’s account').waitFor()
    await popup.getByText(origin).waitFor()
    await look(popup, 'connect')
    await closeBy(popup, 'Decline')
    expect(await answerOf(app)).toMatchObject({ code: 4001 })
  })

  chapter('a closed window rejects the request', async () => {
    const popup = await ask('eth_requestAccounts')
    await popup.getByText('heidi-of-the-high-alps’s account').waitFor()
    await popup.close()
    expect(await answerOf(app)).toMatchObject({ code: 4001 })
  })

  chapter('a press counts only while the window is in front', async () => {
    const popup = await ask('eth_requestAccounts')
    const connect = button(popup, 'Connect')
    await expect.poll(() => connect.getAttribute('aria-disabled')).toBe('false')
    await popup.evaluate('dispatchEvent(new Event("blur"))')
    await expect.poll(() => connect.getAttribute('aria-disabled')).toBe('true')
    await connect.dispatchEvent('click')
    await popup.getByRole('heading', { name: 'Connect' }).waitFor()
    await popup.evaluate('dispatchEvent(new Event("focus"))')
    await connect.click()
    const { result } = await answerOf(app)
    expect(result).toEqual([expect.stringMatching(/^0x[0-9a-fA-F]{40}$/)])
    ;[account] = result as [Address] // the type of the expression above
  })

  chapter('reveals nothing to a page that is not connected', async () => {
    const { opened, origin: other } = await openApp()
    const state = JSON.stringify({ accounts: [account], walletChains: [31_337], chainId: 31_337 })
    await opened.evaluate(
      `localStorage.setItem('lanyard.connect.${service().url}', ${JSON.stringify(state)})`,
    )
    const parameters = JSON.stringify({
      wallet: service().url,
      chains: [{ id: 31_337, rpcUrls: { default: { http: [] } } }],
    })
    await opened.evaluate(`window.provider = window.createLanyardProvider(${parameters}); undefined`)
    await press(opened, 'personal_sign', [stringToHex('hello'), account])
    expect(await answerOf(opened)).toMatchObject({
      code: 4100,
      message: 'This page is not connected to the wallet.',
    })
    expect(other).not.toBe(origin)
    expect(await opened.evaluate('window.provider.request({ method: "eth_accounts" })')).toEqual([])
  })

  chapter(
    'works without COOP and with same-origin-allow-popups, and names the cause under same-origin',
    async () => {
      const allowing = await openApp({ 'cross-origin-opener-policy': 'same-origin-allow-popups' })
      const popup = await ask('eth_requestAccounts', [], allowing.opened)
      await popup.getByText(allowing.origin).waitFor()
      await closeBy(popup, 'Decline')
      expect(await answerOf(allowing.opened)).toMatchObject({ code: 4001 })
      const isolated = await openApp({ 'cross-origin-opener-policy': 'same-origin' })
      await press(isolated.opened, 'eth_requestAccounts')
      expect(await answerOf(isolated.opened)).toMatchObject({ code: 4900, reason: 'WALLET_NOT_READY' })
    },
  )

  chapter('neither answers nor listens to a page that names another origin', async () => {
    const { opened } = await openApp()
    const url = `${service().url}/connect#${new URLSearchParams({ v: '1', nonce, origin })}`
    await opened.evaluate(`window.heard = []; addEventListener('message', ({ data }) => heard.push(data))`)
    await opened.evaluate(
      `document.querySelector('button').onclick = () => { window.popup = open(${JSON.stringify(url)}) }`,
    )
    const [popup] = await Promise.all([
      opened.waitForEvent('popup'),
      opened.getByRole('button', { name: 'Ask' }).click(),
    ])
    await popup.getByText('Waiting for the app').waitFor({ state: 'attached' })
    await opened.evaluate(`{
      const { port1, port2 } = new MessageChannel()
      popup.postMessage({ type: 'lanyard:connect', nonce: '${nonce}' }, '*', [port2])
      port1.postMessage({ jsonrpc: '2.0', id: 1, method: 'wallet_connect', params: [], chainId: 31337 })
    }`)
    await popup.evaluate(
      'new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))',
    )
    expect(await opened.evaluate('heard')).toEqual([])
    await popup.getByText('Waiting for the app').waitFor({ state: 'attached' })
    await popup.close()
  })

  chapter('accepts one handshake per window', async () => {
    const { opened, origin: own } = await openApp()
    const url = `${service().url}/connect#${new URLSearchParams({ v: '1', nonce, origin: own })}`
    await opened.evaluate(`
      addEventListener('message', ({ data }) => {
        window.answers = [[], []]
        for (const heard of answers) {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = ({ data }) => heard.push(data)
          popup.postMessage({ type: 'lanyard:connect', nonce: data.nonce }, '*', [port2])
          port1.postMessage({ jsonrpc: '2.0', id: 1, method: 'wallet_connect', params: [], chainId: 31337 })
        }
      })
      document.querySelector('button').onclick = () => { window.popup = open(${JSON.stringify(url)}) }`)
    const [popup] = await Promise.all([
      opened.waitForEvent('popup'),
      opened.getByRole('button', { name: 'Ask' }).click(),
    ])
    await popup.getByText(own).waitFor()
    await closeBy(popup, 'Decline')
    await expect.poll(() => popup.isClosed()).toBe(true)
    const declined = { id: 1, error: { code: 4001, message: 'The user declined.' } }
    await expect.poll(() => opened.evaluate('answers')).toEqual([[declined], []])
  })

  chapter('shows the hidden characters of a text, and lets the user decline the passkey prompt', async () => {
    const popup = await ask('personal_sign', [
      stringToHex('Pay \u202e001\u202c to\u200b me\nand sign'),
      account,
    ])
    await popup.getByText('Pay \\u{202e}001\\u{202c} to\\u{200b} me').waitFor()
    await look(popup, 'connect-message')
    await closeBy(popup, 'Decline')
    expect(await answerOf(app)).toMatchObject({ code: 4001 })
    await browser().authenticator.setUserVerified(false)
    const second = await ask('personal_sign', [stringToHex('again'), account])
    await browser().authenticator.setUserVerified(true)
    await button(second, 'Sign with passkey').click()
    await second.getByText('The passkey prompt was closed or timed out.').waitFor()
    await closeBy(second, 'Decline')
    expect(await answerOf(app)).toMatchObject({ code: 4001 })
  })

  chapter('offline, opens no passkey prompt, and signs and sends nothing later', async () => {
    for (const [method, params] of [
      ['personal_sign', [stringToHex('offline'), account]],
      ['wallet_sendCalls', [{ version: '2.0.0', atomicRequired: true, calls: [{ to: shop, value: '0x1' }] }]],
    ] as const) {
      const popup = await ask(method, params)
      const sign = button(popup, 'Sign with passkey')
      await sign.waitFor()
      await popup.evaluate(`{
        const get = navigator.credentials.get.bind(navigator.credentials)
        window.ceremonies = 0
        navigator.credentials.get = (options) => { window.ceremonies++; return get(options) }
      }`)
      const sent: string[] = []
      popup.on('request', (request) => sent.push(request.url()))
      await browser().context.setOffline(true)
      for (let press = 0; press < 3; press++) {
        const failed = popup.waitForEvent('requestfailed', (request) =>
          /system\.networks/.test(request.url()),
        )
        await sign.click()
        await failed
      }
      // Each press takes away what the last one said, until it has failed as well.
      await expect
        .poll(() => popup.getByRole('alert').allInnerTexts())
        .toEqual([expect.stringContaining('You are offline.')])
      expect(await popup.evaluate('window.ceremonies')).toBe(0)
      await browser().context.setOffline(false)
      await expect.poll(() => popup.evaluate('navigator.onLine')).toBe(true)
      expect(await popup.evaluate('window.ceremonies')).toBe(0)
      expect(sent.filter((url) => /Verify/.test(url))).toEqual([])
      await closeBy(popup, 'Decline')
      expect(await answerOf(app)).toMatchObject({ code: 4001 })
    }
  })

  const siwe = () => ({
    address: account,
    chainId: 31_337,
    domain: new URL(origin).host,
    uri: origin,
    version: '1' as const,
    nonce: 'abcdefgh',
    statement: 'Welcome to the shop.',
    resources: ['https://shop.example/terms'],
    expirationTime: new Date(Date.now() + 3_600_000),
  })

  chapter('describes a sign-in in words, and rejects one for another page', async () => {
    const popup = await ask('personal_sign', [stringToHex(createSiweMessage(siwe())), account])
    await popup.getByText('Welcome to the shop.').waitFor()
    await look(popup, 'connect-sign-in')
    await button(popup, 'Sign in with passkey').click()
    expect((await answerOf(app)).result).toMatch(/^0x[0-9a-f]+$/)
    const other = createSiweMessage({ ...siwe(), domain: 'bank.example' })
    const rejected = await ask('personal_sign', [stringToHex(other), account])
    await rejected.getByText('This app asks for a sign-in to another one: bank.example.').waitFor()
    await look(rejected, 'connect-refused')
    expect(await rejected.getByRole('button', { name: /passkey/ }).count()).toBe(0)
    await closeBy(rejected, 'Close')
    expect(await answerOf(app)).toMatchObject({ code: -32602 })
  })

  chapter('connects and signs in with one prompt', async () => {
    const signInWithEthereum = { nonce: 'abcdefgh', chainId: '0x7a69', statement: 'Welcome.' }
    const popup = await ask('wallet_connect', [{ version: '1', capabilities: { signInWithEthereum } }])
    await popup.getByRole('heading', { name: 'Connect and sign in' }).waitFor()
    await look(popup, 'connect-and-sign-in')
    await button(popup, 'Connect and sign in with passkey').click()
    expect((await answerOf(app)).result).toMatchObject({
      accounts: [
        {
          address: account,
          capabilities: {
            signInWithEthereum: {
              message: expect.stringContaining(`${new URL(origin).host} wants you to sign in`),
              signature: expect.stringMatching(/^0x/),
            },
          },
        },
      ],
      chainIds: expect.arrayContaining(['0x7a69']),
    })
  })

  chapter('shows typed data in full, and warns about what it allows', async () => {
    const typedData = {
      domain: { name: 'Permit2', chainId: 31_337, verifyingContract: permit2, note: 'A harmless login' },
      types: {
        PermitSingle: [
          { name: 'details', type: 'PermitDetails' },
          { name: 'spender', type: 'address' },
          { name: 'sigDeadline', type: 'uint256' },
        ],
        PermitDetails: [
          { name: 'token', type: 'address' },
          { name: 'amount', type: 'uint160' },
          { name: 'expiration', type: 'uint48' },
          { name: 'nonce', type: 'uint48' },
        ],
      },
      primaryType: 'PermitSingle',
      message: {
        details: { token: shop, amount: String(2n ** 160n - 1n), expiration: '0', nonce: '0' },
        spender: shop,
        sigDeadline: '1900000000',
      },
    }
    const popup = await ask('eth_signTypedData_v4', [account, JSON.stringify(typedData)])
    await popup.getByText('This lets somebody take your tokens through Permit2.').waitFor()
    await popup.getByText('An amount has no limit.').waitFor()
    await popup.getByText(String(2n ** 160n - 1n)).waitFor()
    expect(await popup.getByText('A harmless login').count()).toBe(0) // not signed, so not shown
    await look(popup, 'connect-typed-data')
    await button(popup, 'Sign with passkey').click()
    expect((await answerOf(app)).result).toMatch(/^0x[0-9a-f]+$/)
    await press(app, 'eth_signTypedData_v4', [account, { ...typedData, domain: { chainId: 1 } }])
    expect(await answerOf(app)).toMatchObject({ code: -32602 })
  })

  chapter('reviews calls, warns about an allowance of an unknown contract, and sends', async () => {
    const approve = { abi: erc20Abi, functionName: 'approve', args: [permit2, maxUint256] } as const
    const calls = [
      { to: shop, value: '0x2386f26fc10000' },
      { to: shop, data: encodeFunctionData(approve) },
    ]
    const popup = await ask('wallet_sendCalls', [{ version: '2.0.0', atomicRequired: true, calls }])
    await popup.getByText('This allows spending without a limit.').waitFor()
    await popup.getByText('Recomputed on this device').waitFor()
    await look(popup, 'connect-calls')
    await button(popup, 'Sign with passkey').click()
    const { result } = await answerOf(app)
    const { id } = result as { id: string } // the result of wallet_sendCalls
    expect(id).toMatch(/^0x[0-9a-f]{128}$/)
    const status = await ask('wallet_showCallsStatus', [id])
    await status.getByText('Included').waitFor()
    await look(status, 'connect-status')
    await closeBy(status, 'Close')
    expect(await answerOf(app)).toEqual({ result: null })
    await press(app, 'wallet_getCallsStatus', [id])
    expect((await answerOf(app)).result).toMatchObject({ id, status: 200, receipts: [{ status: '0x1' }] })
  })

  chapter('sends a transaction, and returns its hash', async () => {
    const popup = await ask('eth_sendTransaction', [{ from: account, to: shop, value: '0x1' }])
    await button(popup, 'Sign with passkey').click()
    expect((await answerOf(app)).result).toMatch(/^0x[0-9a-f]{64}$/)
  })

  chapter('grants a page a session key within limits, and rejects by name what no key enforces', async () => {
    const request = {
      chainId: '0x7a69',
      expiry: Math.floor(Date.now() / 1_000) + 3_600,
      signer: { type: 'key', data: { type: 'secp256k1', address: shop } },
      permissions: [
        { type: 'native-token-transfer', data: { allowance: '0x2386f26fc10000' } },
        { type: 'gas-limit', data: { limit: '0x2386f26fc10000' } },
      ],
    }
    await press(app, 'wallet_grantPermissions', [
      { ...request, permissions: [{ type: 'erc20-token-stream', data: {} }] },
    ])
    expect(await answerOf(app)).toMatchObject({
      code: 5700,
      message: 'A session key cannot enforce the permission erc20-token-stream.',
    })
    const popup = await ask('wallet_grantPermissions', [request])
    await popup.getByRole('heading', { name: 'Allow a session key' }).waitFor()
    await popup.getByText('Recomputed on this device').waitFor()
    expect(await popup.getByText('The key can send to anyone.').count()).toBe(1)
    await look(popup, 'connect-permissions')
    await button(popup, 'Allow with passkey').click()
    const { result } = await answerOf(app)
    const { callsId, ...granted } = result as { callsId: string } // the result of wallet_grantPermissions
    expect(granted).toMatchObject({
      ...request,
      address: account,
      context: expect.stringMatching(/^0x[0-9a-f]{104}$/i),
    })
    await press(app, 'wallet_getCallsStatus', [callsId])
    await expect
      .poll(async () => {
        const answer = await fetch(`${service().url}/smart-account/session-key?walletAddress=${account}`)
        return (await answer.json()).sessions
      })
      .toMatchObject([{ sessionKey: shop, state: 'active' }])
  })

  chapter('rejects calls to the account itself', async () => {
    const popup = await ask('wallet_sendCalls', [
      { version: '2.0.0', calls: [{ to: account, data: '0x12345678' }] },
    ])
    await popup.getByText('This app asks for a call to your account itself.').waitFor()
    await closeBy(popup, 'Close')
    expect(await answerOf(app)).toMatchObject({ code: -32602 })
  })

  chapter('answers requests that need no window, and unsupported ones, without a window', async () => {
    const windows = browser().context.pages().length
    /** Sends a request without a click. */
    const answerTo = (method: string, ...params: readonly unknown[]) =>
      app.evaluate(
        `window.provider.request(${JSON.stringify({ method, params })}).then(
          (result) => ({ result }),
          ({ code }) => ({ code }),
        )`,
      ) as Promise<Answer> // the type of the expression above
    const chainId = '0x7a69'
    expect(await answerTo('eth_chainId')).toEqual({ result: chainId })
    expect(await answerTo('eth_accounts')).toEqual({ result: [account] })
    expect(await answerTo('eth_requestAccounts')).toEqual({ result: [account] })
    const capabilities = { [chainId]: { atomic: { status: 'supported' }, permissions: grantable } }
    expect(await answerTo('wallet_getCapabilities', account)).toEqual({ result: capabilities })
    expect(await answerTo('wallet_switchEthereumChain', { chainId })).toEqual({ result: null })
    expect(await answerTo('wallet_switchEthereumChain', { chainId: '0x1' })).toEqual({ code: 4902 })
    const unknown = `0x${'5a'.repeat(32)}${'7a69'.padStart(64, '0')}`
    expect(await answerTo('wallet_getCallsStatus', unknown)).toMatchObject({ code: 5730 })
    expect(await answerTo('eth_getCode', account, 'latest')).toEqual({
      result: expect.stringMatching(/^0x[0-9a-f]{2,}$/), // answered by the page's own node
    })
    for (const method of [
      'eth_sign',
      'eth_signTypedData',
      'eth_signTypedData_v3',
      'eth_signTransaction',
      'wallet_addEthereumChain',
    ])
      expect(await answerTo(method, account, '0x00'), method).toMatchObject({ code: 4200 })
    expect(await answerTo('wallet_disconnect')).toEqual({ result: null })
    expect(await answerTo('eth_accounts')).toEqual({ result: [] })
    expect(await answerTo('personal_sign', stringToHex('hello'), account)).toMatchObject({ code: 4100 })
    expect(browser().context.pages()).toHaveLength(windows)
    const popup = await ask('eth_requestAccounts')
    await button(popup, 'Connect').click()
    expect(await answerOf(app)).toEqual({ result: [account] })
  })

  chapter('lists connected apps, and disconnects one', async () => {
    await page().bringToFront()
    await go('Apps')
    await page().getByRole('link', { name: 'Connected apps' }).click()
    await page().getByText(origin).waitFor()
    await look(page(), 'connected-apps')
    await page()
      .getByRole('button', { name: `Disconnect ${origin}` })
      .click()
    await page().getByText('No app is connected').waitFor()
    await app.bringToFront()
    await press(app, 'personal_sign', [stringToHex('hello'), account])
    expect(await answerOf(app)).toMatchObject({ code: 4100 })
  })
})
