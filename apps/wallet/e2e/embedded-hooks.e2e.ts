/** @module-tag all */
import type { Page } from 'playwright-core'
import { type Address, createPublicClient, type Hex, http } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, expect } from 'vitest'
import { type EmbeddedPage, serveEmbedded } from './serve-page.ts'
import { describeOnStage } from './stage.ts'
import { startService } from './start-service.ts'

let app: EmbeddedPage
afterAll(() => app?.[Symbol.asyncDispose]())

const payee: Address = '0x00000000000000000000000000000000DeaDBeef'
const greeting = {
  domain: { name: 'Example', chainId: 31_337 },
  types: { Greeting: [{ name: 'text', type: 'string' }] },
  primaryType: 'Greeting',
  message: { text: 'Hello' },
} as const

/** Evaluates an expression in the page. An error is returned as its code. */
const run = (page: Page, expression: string) =>
  page.evaluate(
    `Promise.resolve(${expression}).catch(({ code, message, userOpHash }) => ({ code, message, userOpHash }))`,
  ) as Promise<Record<string, unknown> & string> // the shape that the chapter expects

describeOnStage(
  'the hooks of @lanyard/react',
  ({ service, browser, chapter }) => {
    const client = () => createPublicClient({ chain: foundry, transport: http(service().rpcUrl) })
    const balanceOfPayee = () => client().getBalance({ address: payee })
    const send = (value: bigint, options = '{}') =>
      `hooks.lanyard.sendCalls([{ to: '${payee}', value: ${value}n }], ${options})`
    let account: Address

    chapter('useLanyard: rejects everything while no one is signed in', async (page) => {
      await page.goto(app.origin)
      await page.waitForFunction('window.hooks')
      for (const expression of [send(1n), `hooks.lanyard.signMessage('Hello')`])
        expect(await run(page, expression)).toMatchObject({ code: 'SIGNED_OUT' })
      expect(await page.evaluate('hooks.lanyard.status')).toBe('signed-out')
    })

    chapter(
      'createAccount: a closed prompt is an ordinary outcome, and a taken name says what to do',
      async (page) => {
        await browser().authenticator.setUserVerified(false)
        expect(await run(page, `hooks.lanyard.createAccount('ken')`)).toBeUndefined()
        expect(await page.evaluate('hooks.lanyard.error')).toBeUndefined()
        await browser().authenticator.setUserVerified(true)
        const made = await run(page, `hooks.lanyard.createAccount('ken')`)
        expect(made).toMatchObject({ username: 'ken', proven: true })
        account = made.address as Address
        await page.waitForFunction(`hooks.lanyard.status === 'signed-in'`)
        expect(await run(page, `hooks.lanyard.createAccount('ken')`)).toMatchObject({
          code: 'USERNAME_TAKEN',
          message: expect.stringMatching(/call signIn/),
        })
      },
    )

    chapter(
      'signMessage, signTypedData: verified on the network before the account is deployed',
      async (page) => {
        const signature = (await run(page, `hooks.lanyard.signMessage('Hello')`)) as Hex
        expect(await client().verifyMessage({ address: account, message: 'Hello', signature })).toBe(true)
        const typed = (await run(page, `hooks.lanyard.signTypedData(${JSON.stringify(greeting)})`)) as Hex
        expect(await client().verifyTypedData({ address: account, ...greeting, signature: typed })).toBe(true)
      },
    )

    chapter('sendCalls: without funds, says what is missing and opens no prompt', async (page) => {
      expect(await run(page, send(1n))).toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
      await run(page, `hooks.lanyard.client.wallet.faucet({ walletAddress: '${account}', network: '31337' })`)
      await page.evaluate('hooks.balance.refetch()')
      await page.waitForFunction('hooks.balance.data?.native === 10n ** 18n')
      expect(await run(page, send(1n, '{ maximumCost: 1n }'))).toMatchObject({ code: 'TOO_EXPENSIVE' })
      expect(await run(page, `hooks.lanyard.sendCalls([{ to: '0x12' }])`)).toMatchObject({
        code: 'INVALID_REQUEST',
      })
    })

    chapter('useSendCalls, useOperation: two calls, to inclusion', async (page) => {
      await page.evaluate(
        `void hooks.send.send([{ to: '${payee}', value: 5n }, { to: '${payee}', value: 6n }])`,
      )
      await page.waitForFunction(`hooks.send.status === 'included'`)
      expect(await balanceOfPayee()).toBe(11n)
      await page.evaluate('hooks.follow(hooks.send.userOpHash)')
      await page.waitForFunction(`hooks.operation.data?.state === 'included'`)
      await page.waitForFunction('hooks.balance.data.native < 10n ** 18n && hooks.balance.data.deployed')
      expect(await page.evaluate('hooks.lanyard.pendingOperations.length')).toBe(0)
    })

    chapter('sendCalls: retries after a lost answer, and pays once', async (page) => {
      const before = await balanceOfPayee()
      let lost = 0
      await page.route('**/v3/webauthn/transaction/verify*', async (route) => {
        if (route.request().method() !== 'POST' || lost > 1) return route.continue()
        // The first request never reaches the service. The response to the second is lost.
        if (lost++ > 0) await route.fetch()
        await route.abort('connectionreset')
      })
      expect(await run(page, send(7n))).toMatchObject({ transactionHash: expect.stringMatching(/^0x/) })
      await page.unroute('**/v3/webauthn/transaction/verify*')
      expect(lost).toBeGreaterThan(0)
      expect(await balanceOfPayee()).toBe(before + 7n)
    })

    chapter('sendCalls: a key is sent once, whatever the user presses', async (page) => {
      const before = await balanceOfPayee()
      const one = send(9n, `{ key: 'invoice-1' }`)
      const [first, second] = (await page.evaluate(`Promise.all([${one}, ${one}])`)) as { userOpHash: Hex }[]
      expect(second).toEqual(first)
      expect(await run(page, one)).toEqual(first)
      expect(await balanceOfPayee()).toBe(before + 9n)
    })

    chapter('sendCalls: a reload in the middle does not send twice', async (page) => {
      const before = await balanceOfPayee()
      const one = send(13n, `{ key: 'invoice-2' }`)
      const { promise: sent, resolve: arrived } = Promise.withResolvers<void>()
      await page.route('**/v3/webauthn/transaction/verify*', async (route) => {
        arrived()
        await route.fetch() // the service receives it, but the page gets no response
      })
      await page.evaluate(`void ${one}`)
      await sent
      await page.reload()
      await page.unroute('**/v3/webauthn/transaction/verify*')
      await page.waitForFunction('window.hooks')
      expect(await run(page, one)).toMatchObject({ transactionHash: expect.stringMatching(/^0x/) })
      await page.waitForFunction('hooks.lanyard.pendingOperations.length === 0')
      expect(await balanceOfPayee()).toBe(before + 13n)
    })

    chapter('sendCalls: a payment whose signature did not arrive is replaced at its nonce', async (page) => {
      const before = await balanceOfPayee()
      const one = send(17n, `{ key: 'invoice-3' }`)
      const { promise: tried, resolve: arrived } = Promise.withResolvers<void>()
      let late: string | undefined
      await page.route('**/v3/webauthn/transaction/verify*', async (route) => {
        late ??= JSON.stringify({ url: route.request().url(), body: route.request().postDataJSON() })
        arrived()
        await route.abort('connectionreset')
      })
      await page.evaluate(`void ${one}`)
      await tried
      await page.reload()
      await page.unroute('**/v3/webauthn/transaction/verify*')
      await page.waitForFunction('window.hooks')
      const [built] = await Promise.all([
        page.waitForRequest(
          (request) => request.method() === 'POST' && request.url().endsWith('/transaction/generate-options'),
        ),
        run(page, one).then((sent) =>
          expect(sent).toMatchObject({ transactionHash: expect.stringMatching(/^0x/) }),
        ),
      ])
      expect(built.postDataJSON()).toMatchObject({ replaces: expect.stringMatching(/^0x/) })
      // The first signature arrives late, so its nonce is used.
      const { url, body } = JSON.parse(late ?? '{}')
      const rejected = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect(rejected.ok).toBe(false)
      expect(await balanceOfPayee()).toBe(before + 17n)
    })

    const grant = (permissions: string, options = '') =>
      `hooks.authorize.authorize({
        sessionKey: agent,
        permissions: ${permissions},
        validUntil: Math.floor(Date.now() / 1_000) + 3_600,
        ${options}
      })`
    const permissions = `[
      { type: 'native-token-allowance', allowance: '100', to: ['${payee}'] },
      { type: 'gas-fee-allowance', allowance: '${10n ** 17n}', operations: 10 },
    ]`
    const payAsAgent = (value: bigint) => `hooks.payAs(agent, '${payee}', ${value}n)`

    chapter('useAuthorize: declining grants nothing', async (page) => {
      const { networks } = await (await fetch(`${service().url}/networks`)).json()
      await page.evaluate(`hooks.setSessionKeys('${payee}')`)
      await page.evaluate('hooks.createSessionKey().then((key) => { window.agent = key })')
      expect(await run(page, grant(permissions))).toMatchObject({ code: 'NOT_VERIFIED' })
      await page.evaluate(`hooks.setSessionKeys('${networks[0].sessionKeys}')`)
      expect(await run(page, grant(permissions, 'review: () => false'))).toBeUndefined()
      await browser().authenticator.setUserVerified(false)
      expect(await run(page, grant(permissions))).toBeUndefined()
      await browser().authenticator.setUserVerified(true)
      expect(await page.evaluate('hooks.authorize.error')).toBeUndefined()
      expect(await run(page, payAsAgent(1n))).toMatchObject({ code: 'UNKNOWN_SESSION' })
    })

    chapter('useAuthorize: a key pays within its limits without a prompt', async (page) => {
      const before = await balanceOfPayee()
      const review = '(description) => { window.description = description; return true }'
      expect(await run(page, grant(permissions, `review: ${review}`))).toMatchObject({
        transactionHash: expect.stringMatching(/^0x/),
      })
      expect(await page.evaluate('description.join()')).toContain(`send to ${payee}`)
      await browser().authenticator.setUserVerified(false)
      expect(await run(page, payAsAgent(60n))).toMatchObject({ success: true })
      expect(await run(page, payAsAgent(41n))).toMatchObject({ code: 'SESSION_REFUSED' })
      expect(await run(page, payAsAgent(40n))).toMatchObject({ success: true })
      await browser().authenticator.setUserVerified(true)
      expect(await balanceOfPayee()).toBe(before + 100n)
    })

    chapter('useAuthorize: a revoked key cannot do anything, and can be granted again', async (page) => {
      const before = await balanceOfPayee()
      expect(await run(page, grant(permissions))).toMatchObject({
        transactionHash: expect.stringMatching(/^0x/),
      })
      expect(await run(page, payAsAgent(1n))).toMatchObject({ success: true })
      expect(await run(page, 'hooks.authorize.revoke({ sessionKey: agent })')).toMatchObject({
        transactionHash: expect.stringMatching(/^0x/),
      })
      expect(await run(page, payAsAgent(1n))).toMatchObject({ code: 'UNKNOWN_SESSION' })
      expect(await balanceOfPayee()).toBe(before + 1n)
    })

    /** A second tab of the app. It does not poll: it shows what the first tab shares with it. */
    let second: Page
    /** Polls from outside: Chromium slows down the timers of a background tab. */
    const expectIn = (tab: Page, expression: string) =>
      expect.poll(() => tab.evaluate(`Boolean(${expression})`)).toBe(true)
    const countPrompts = `
      window.prompts = 0
      navigator.credentials.get = ((get) => (options) => {
        window.prompts++
        return get.call(navigator.credentials, options)
      })(navigator.credentials.get)`
    const promptsOf = (tab: Page) => tab.evaluate('prompts') as Promise<number> // set above

    chapter('two tabs: signing in or out in one applies to both', async (page) => {
      second = await browser().context.newPage()
      await second.addInitScript('window.setInterval = () => 0')
      await second.goto(app.origin)
      await expectIn(second, `window.hooks?.lanyard.account?.address === '${account}'`)
      await page.evaluate('hooks.lanyard.signOut()')
      await expectIn(second, `hooks.lanyard.status === 'signed-out'`)
      await page.evaluate(`hooks.lanyard.signIn({ username: 'ken' })`)
      await expectIn(second, `hooks.lanyard.account?.address === '${account}'`)
      const session = await browser().context.newCDPSession(second)
      await browser().authenticator.shareWith(session)
      for (const tab of [page, second]) await tab.evaluate(countPrompts)
    })

    chapter('two tabs: a payment in one appears in the other', async (page) => {
      const { promise: held, resolve: release } = Promise.withResolvers<void>()
      await expectIn(second, 'hooks.balance.data')
      const before = await second.evaluate('String(hooks.balance.data.native)')
      await page.route('**/v3/webauthn/transaction/verify*', async (route) => {
        await held
        await route.continue()
      })
      const sent = run(page, send(19n))
      await expectIn(second, 'hooks.lanyard.pendingOperations.length === 1')
      release()
      const { userOpHash } = await sent
      expect(userOpHash).toMatch(/^0x/)
      await expectIn(second, 'hooks.lanyard.pendingOperations.length === 0')
      await expectIn(second, `String(hooks.balance.data.native) !== '${before}'`)
      await page.unroute('**/v3/webauthn/transaction/verify*')
    })

    chapter('two tabs: a key is signed and sent once, even if both ask at the same time', async (page) => {
      const before = await balanceOfPayee()
      const requested = await Promise.all([promptsOf(page), promptsOf(second)])
      const one = send(23n, `{ key: 'invoice-4' }`)
      const [first, other] = await Promise.all([run(page, one), run(second, one)])
      expect(first).toMatchObject({ transactionHash: expect.stringMatching(/^0x/) })
      expect(other).toEqual(first)
      const now = await Promise.all([promptsOf(page), promptsOf(second)])
      expect(now[0] + now[1]).toBe(requested[0] + requested[1] + 1)
      expect(await balanceOfPayee()).toBe(before + 23n)
    })

    chapter("two tabs: the second asks after the user closed the first one's prompt", async (page) => {
      const before = await balanceOfPayee()
      const one = send(29n, `{ key: 'invoice-5' }`)
      await browser().authenticator.setUserVerified(false)
      const built = '**/v3/webauthn/transaction/generate-options'
      const { promise: held, resolve: release } = Promise.withResolvers<void>()
      await page.route(built, async (route) => {
        await held
        await route.continue()
      })
      const arrived = page.waitForRequest(built)
      const closed = run(page, one)
      await arrived
      const sent = run(second, one)
      release()
      expect(await closed).toBeUndefined()
      await page.unroute(built)
      expect(await sent).toMatchObject({ transactionHash: expect.stringMatching(/^0x/) })
      await browser().authenticator.setUserVerified(true)
      expect(await balanceOfPayee()).toBe(before + 29n)
    })
  },
  async () => {
    app = await serveEmbedded('apps/wallet/e2e/embedded-hooks')
    const service = await startService({ ORIGINS: app.origin })
    app.connectTo(service.url)
    return service
  },
)
