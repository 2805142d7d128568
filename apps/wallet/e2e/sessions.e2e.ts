/** @module-tag all */
/** @module-tag longer */
// @promise 21
import { randomPrivateKey } from '@lanyard/testing'
import type { Page } from 'playwright-core'
import { encodeFunctionData, erc20Abi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { describeOnStage } from './stage.ts'

/** Anvil's third account. */
const shop = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

describeOnStage('session keys in a browser', ({ service, browser, page, chapter, look, go, signOut }) => {
  /** The app's key: the wallet only ever sees its address. */
  const agent = privateKeyToAccount(randomPrivateKey())
  const sign = (on: Page) => on.getByRole('button', { name: 'Sign with passkey' }).click()
  const local = (name: string) => page().getByRole('region', { name, exact: true })

  /** Acts as an app would, without the wallet. */
  async function actAsAgent(amount: bigint) {
    const { networks } = await (await fetch(`${service().url}/networks`)).json()
    const { result } = await (await fetch(`${service().url}/api/user/search?query=dave`)).json()
    const [{ wallet_address: walletAddress }] = result
    const { address: token } = networks[0].settlementToken
    const post = async (path: string, body: unknown) => {
      const response = await fetch(`${service().url}/smart-account/transaction/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: response.status, answer: await response.json() }
    }
    const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [shop, amount] })
    const build = await post('build', {
      network: 31_337,
      walletAddress,
      signMode: 'SESSION_KEY',
      sessionKey: agent.address,
      transactionDetails: [{ targetContractAddress: token, encodedData: transfer, value: '0' }],
    })
    if (build.status !== 200) return build
    const signature = await agent.sign({ hash: build.answer.messageToSign })
    return post('submit', { walletAddress, signature, signatureType: 'SESSION_KEY' })
  }

  chapter('explains session keys', async (page) => {
    await page.getByLabel('Username', { exact: true }).fill('dave')
    await page.getByText('Available', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Create with a passkey' }).click()
    await page.getByRole('button', { name: 'Get test money on Local 1' }).click()
    await page.getByText('Test money arrived on Local 1.').waitFor({ state: 'attached' })
    await go('Apps')
    await page.getByText('No app can act for you').waitFor()
    await look('sessions-empty')
    // On a phone, the introduction has the whole width, also below the button.
    await page.setViewportSize({ width: 360, height: 740 })
    const intro = await page.getByText(/^Let an app act for you/).boundingBox()
    expect(intro?.width).toBeGreaterThan(300)
    await page.setViewportSize({ width: 1180, height: 860 })
  })

  chapter('shows each error of a draft at its field', async (page) => {
    await page.getByRole('button', { name: 'Grant by hand' }).click()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Enter the key that the app shows.').waitFor()
    await expect
      .poll(() =>
        page.getByLabel('Session key').evaluate((field) => field.ownerDocument.activeElement === field),
      )
      .toBe(true)
    await page.getByLabel('Session key', { exact: true }).fill(agent.address)
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Choose at least one thing that the key may do.').waitFor()
    await page.getByLabel('Send USDC').check()
    await page.getByRole('button', { name: 'Call a contract' }).click()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Name at least one address.').waitFor()
    await page.getByText('Enter the contract’s address.').waitFor()
    await look('sessions-wrong')
    await page.getByRole('button', { name: 'Remove contract 1' }).click()
  })

  chapter('rejects a session that differs from the request', async (page) => {
    await page.getByLabel('USDC at most').fill('5')
    await page.getByLabel('USDC: recipients').fill(shop)
    const requested = '**/trpc/sessionKey.enable*'
    await page.route(requested, async (route) => {
      const body = route.request().postDataJSON()
      body.permissions[0].allowance = '6000000'
      await route.continue({ postData: JSON.stringify(body) })
    })
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('The service built something other than what you asked for.').waitFor()
    await look('sessions-refused')
    await page.unroute(requested)
  })

  chapter('grants a session with one signature, described from its bytes', async (page) => {
    await page.getByLabel('Send ETH').check()
    await page.getByLabel('ETH at most', { exact: true }).fill('0.5')
    await page.getByLabel('ETH: recipients').fill(shop)
    await page.getByRole('button', { name: 'Call a contract' }).click()
    await page.getByLabel('Address of contract 1').fill(shop)
    await page.getByLabel('Functions of contract 1').fill('buy(uint256)')
    // Far below the lowest fee that an idle local network reaches.
    await page.getByLabel('Network fees in total, at most').fill('0.000001')
    await page.getByText(/^Only .* ETH for each transaction; one costs up to/).waitFor()
    await page.getByLabel('Network fees in total, at most').fill('0.1')
    await look('sessions-form')
    await page.getByRole('button', { name: 'Review' }).click()
    await page
      .getByText(`Up to 5 USDC every day: send to ${shop}, or let ${shop} take it in the same operation.`)
      .waitFor()
    await page.getByText(`Up to 0.5 ETH in total: send to ${shop}.`).waitFor()
    await page.getByText(`Call buy(uint256) on ${shop} with any arguments.`).waitFor()
    await page.getByText('At most 100 operations, with fees of at most 0.001 ETH each').waitFor()
    await page.getByText('Makes the session keys contract an owner').first().waitFor()
    await page.getByText('Recomputed on this device').waitFor()
    await look('sessions-review')
    await sign(page)
    await page.getByText(/^Granted session key 0x.* on Local 1\.$/).waitFor()
    // What was typed is kept, to grant the key once more if an owner leaves.
    const kept = await page.evaluate(() =>
      Object.entries(localStorage).flatMap(([key, value]) =>
        key.startsWith('lanyard.app.') ? [JSON.parse(value)] : [],
      ),
    )
    expect(kept).toMatchObject([{ draft: { key: agent.address, token: { amount: '5' } } }])
    await page.getByRole('button', { name: 'See your session keys' }).click()
    await local('Local 1').getByText('Nothing used yet').first().waitFor()
  })

  chapter('shows the remaining limits after the app has acted', async (page) => {
    expect(await actAsAgent(2_000_000n)).toMatchObject({ status: 200, answer: { success: true } })
    await page.reload()
    await local('Local 1').getByText('3 USDC left').waitFor()
    await local('Local 1').getByText('99 more, of 100').waitFor()
    await local('Local 1').getByText('What it may do').click()
    await page.getByText(`Call buy(uint256) on ${shop} with any arguments.`).waitFor()
    await local('Local 1').getByText('Subscription', { exact: true }).waitFor()
    await local('Local 1').getByText('Takes up to 5 USDC every day').waitFor()
    await local('Local 1')
      .getByText(/^5 USDC again on /)
      .waitFor()
    await local('Local 1').getByText('What it did', { exact: true }).click()
    await local('Local 1').getByText('2 USDC to 0x3C44…93BC').waitFor()
    await look('sessions')
    expect(await actAsAgent(4_000_000n)).toMatchObject({ status: 400, answer: { code: 'SESSION_REFUSED' } })
    await go('Activity')
    await page.getByRole('button', { name: 'Session key: Sent 2 USDC to 0x3C44…93BC' }).waitFor()
  })

  chapter('does not count the session keys contract as protection', async (page) => {
    await go('Protection')
    await page.getByText('You lose everything in this account.').waitFor()
    await page.getByText('Session keys contract').waitFor()
    expect(await page.getByRole('button', { name: /^Remove Session keys contract/ }).count()).toBe(0)
    await look('owners-sessions')
  })

  chapter('creates a key in the browser to try it', async (page) => {
    await go('Apps')
    await page.getByRole('button', { name: 'Grant by hand' }).click()
    await page.getByLabel('Session key', { exact: true }).fill(agent.address)
    await page.getByText('This key already has access on Local 1.').waitFor()
    await page.getByRole('button', { name: 'Create one here to try it' }).click()
    await page.getByText('Created in this browser. It cannot leave it.').waitFor()
    await page.getByLabel('Send ETH').check()
    await page.getByLabel('ETH at most', { exact: true }).fill('0.1')
    await page.getByLabel('ETH: sent to').selectOption({ label: 'Anyone' })
    await page.getByLabel('Duration', { exact: true }).selectOption({ label: '1 hour' })
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Up to 0.1 ETH in total: send to anyone.').waitFor()
    expect(await page.getByText('Makes the session keys contract an owner').count()).toBe(0)
    await sign(page)
    await page.getByText(/^Granted session key 0x.* on Local 1\.$/).waitFor()
    await page.getByRole('button', { name: 'See your session keys' }).click()
    await page.getByText('Key in this browser').waitFor()
    await look('sessions-two')
  })

  chapter('sends with that key, without a passkey, up to the limit', async (page) => {
    await browser().authenticator.setUserVerified(false)
    await page.getByText('Try it').click()
    await page.getByLabel('Recipient of the key’s payment').fill(shop)
    await page.getByLabel('Amount of the key’s payment').fill('0.04')
    await page.getByRole('button', { name: 'Send with the session key' }).click()
    await page.getByText('Sent without your passkey.').waitFor()
    await page.getByText('0.06 ETH left').waitFor()
    await page.getByLabel('Amount of the key’s payment').fill('0.07')
    await page.getByRole('button', { name: 'Send with the session key' }).click()
    await page.getByText('That is more than is left of the key’s allowance.').waitFor()
    await look('sessions-try')
    await browser().authenticator.setUserVerified(true)
  })

  chapter('revokes one session, which can then no longer act', async (page) => {
    const short = `${agent.address.slice(0, 6)}…${agent.address.slice(-4)}`
    await page.getByRole('button', { name: `Revoke session key ${short} on Local 1` }).click()
    await page.getByText('This key can do nothing after that.').waitFor()
    await look('sessions-revoke')
    await sign(page)
    await page.getByText(`Revoked session key ${short} on Local 1.`).waitFor()
    await page.getByRole('button', { name: 'See your session keys' }).click()
    await page.getByText('Key in this browser').waitFor()
    await expect.poll(() => page.getByText(/^Nothing used yet$|USDC left$/).count()).toBe(0)
    const { status } = await actAsAgent(1n)
    expect(status).toBeGreaterThanOrEqual(400)
  })

  chapter('removes the contract from the account with the last session', async (page) => {
    await page.getByRole('button', { name: /^Revoke session key 0x/ }).click()
    await page.getByText('as it was before the first session key').first().waitFor()
    await look('sessions-revoke-last')
    await sign(page)
    await page.getByText(/^Revoked session key 0x/).waitFor()
    await page.getByRole('button', { name: 'See your session keys' }).click()
    await page.getByText('No app can act for you').waitFor()
    await go('Protection')
    await page.getByRole('heading', { name: 'Owners now' }).waitFor()
    await expect.poll(() => page.getByText('Session keys contract').count()).toBe(0)
  })

  chapter('rejects any other contract', async (page) => {
    const requested = '**/trpc/system.networks*'
    await page.route(requested, async (route) => {
      // This request would send no origin, and the page's API key is valid for this origin only.
      const response = await route.fetch({
        headers: { ...(await route.request().allHeaders()), origin: service().url },
      })
      const json = await response.json()
      for (const network of json.result.data.networks) network.sessionKeys = shop
      await route.fulfill({ response, json })
    })
    await page.reload()
    await go('Apps')
    await page.getByRole('button', { name: 'Grant by hand' }).click()
    await page.getByLabel('Session key', { exact: true }).fill(agent.address)
    await page.getByLabel('Send USDC').check()
    await page.getByLabel('USDC at most').fill('5')
    await page.getByLabel('USDC: recipients').fill('0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('The service named a session keys contract').waitFor()
    await page.unroute(requested)
    await page.reload()
  })

  chapter("grants an app's request from a link, without pasting a key", async (page) => {
    const { networks } = await (await fetch(`${service().url}/networks`)).json()
    const request = {
      v: 1,
      name: 'Chess Club\u202e',
      origin: 'http://localhost:5173',
      network: networks[0].network,
      key: agent.address,
      duration: 7 * 86_400,
      permissions: [
        {
          type: 'erc20-token-allowance',
          token: networks[0].settlementToken.address,
          allowance: '5000000',
          period: 86_400,
          to: [shop],
        },
        { type: 'native-token-allowance', allowance: '500000000000000000' },
        { type: 'gas-fee-allowance', allowance: '100000000000000000' },
      ],
    }
    const link = (body: unknown) =>
      `${service().url}/sessions/request#request=${Buffer.from(JSON.stringify(body)).toString('base64url')}`
    await page.goto(link({ ...request, origin: 'https://chess.example/login' }))
    await page.getByText('This link cannot be used.').waitFor()
    await look('request-bad')
    await page.goto(link(request))
    await page
      .getByRole('heading', { name: 'An app that claims to be “Chess Club\\u{202e}” asks to act for you' })
      .waitFor()
    await page.getByText('The key can send to anyone.').waitFor()
    await look('request')
    // A reload loses nothing: the URL contains the request.
    await page.reload()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('heading', { name: 'Review and sign' }).waitFor()
    await page.getByText('Up to 0.5 ETH in total: send to anyone.').waitFor()
    await look('request-review')
    await sign(page)
    await page.getByText(/^Granted session key 0x.* on Local 1\.$/).waitFor()
    await page.getByRole('link', { name: 'See your session keys' }).click()
    await page.getByText('http://localhost:5173').waitFor()
    await local('Local 1').getByText('Nothing used yet').first().waitFor()
    await page.getByText(/^This is what the app calls itself/).waitFor()
    await look('sessions-by-request')
  })

  chapter('keeps a request in a new tab, and after signing in', async (page) => {
    const { networks } = await (await fetch(`${service().url}/networks`)).json()
    const request = {
      v: 1,
      name: 'Lanyard Support',
      origin: 'https://app.uniswap.org',
      network: networks[0].network,
      key: agent.address,
      duration: 365 * 86_400,
      permissions: [
        { type: 'native-token-allowance', allowance: `1${'0'.repeat(24)}` },
        { type: 'gas-fee-allowance', allowance: '100000000000000000' },
      ],
    }
    const hash = Buffer.from(JSON.stringify(request)).toString('base64url')
    const link = `${service().url}/sessions/request#request=${hash}`
    const heading = { name: 'An app that claims to be “Lanyard Support” asks to act for you' }
    // The other tab has the session, so a new one needs no second sign-in.
    const tab = await page.context().newPage()
    await tab.goto(link)
    await tab.getByRole('heading', heading).waitFor()
    await tab.getByText('The key may take more than you have here.').waitFor()
    await tab.close()
    await signOut()
    await page.goto(link)
    // The virtual authenticator answers the passkey autofill of the sign-in screen by itself.
    await page.getByRole('heading', heading).waitFor()
    await look('request-too-much')
  })

  chapter('fits narrow windows', async (page) => {
    await go('Apps')
    await page.getByRole('button', { name: 'Grant by hand' }).click()
    await page.getByLabel('Send ETH').check()
    await page.getByRole('button', { name: 'Call a contract' }).click()
    for (const width of [320, 640, 768, 1_024]) {
      await page.setViewportSize({ width, height: 740 })
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect({ width, overflow }).toEqual({ width, overflow: 0 })
    }
  })
})
