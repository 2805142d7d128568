/** @module-tag all */
/** @module-tag longer */
// @promise 21
import type { Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { describeOnStage } from './stage.ts'

/** Anvil's second account. */
const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Longer than a phone is wide. */
const contact = 'Grandma Josephine in the house by the sea'

describeOnStage(
  'everyday payments in a browser',
  ({ service, browser, page, chapter, look, go, openMenu }) => {
    const review = () => page().getByRole('button', { name: 'Review', exact: true })
    const address = (text: string, on: Page) => on.getByText(text.slice(2, 6)).first()

    chapter('finds the exact username, and shows the address that it pays', async (page) => {
      await page.getByLabel('Username', { exact: true }).fill('erin')
      await page.getByRole('button', { name: 'Create with a passkey' }).click()
      await openMenu()
      await page.getByRole('button', { name: 'Copy your address' }).click()
      await page.keyboard.press('Escape')
      const own = await page.evaluate(() => navigator.clipboard.readText())
      await page.getByRole('button', { name: 'Get test money on Local 1' }).click()
      await page.getByText('Test money arrived on Local 1.').waitFor({ state: 'attached' })
      await go('Send')
      // No pause between typing and pressing: the suggestions below the field are not loaded yet.
      await page.getByLabel('To', { exact: true }).fill('nobody-of-this-name')
      await page.getByLabel('Amount', { exact: true }).fill('0.1')
      await review().click()
      await page.getByText('Nobody here is called “nobody-of-this-name”.').waitFor()
      await page.getByLabel('To', { exact: true }).fill('ERIN')
      await review().click()
      await page.getByRole('heading', { name: 'Review and sign' }).waitFor()
      await page.getByText('to erin').waitFor()
      await address(own, page).waitFor()
      await look('send-review-name')
      await page.getByRole('button', { name: 'Back' }).click()
    })

    chapter('selects with the arrow keys, and keeps the focus in the field', async (page) => {
      const to = page.getByRole('combobox', { name: 'To', exact: true })
      await to.fill('eri')
      const option = page.getByRole('option', { name: /erin/ })
      await option.waitFor()
      await look('send-suggestions')
      await to.press('ArrowDown')
      await to.press('Enter')
      await page.getByText('This is your own address.').waitFor()
      await page.locator(':focus[role=combobox]').waitFor()
      await to.fill(recipient)
      await page.getByRole('button', { name: 'Save as contact' }).click()
      await page.getByLabel('Name of the contact').fill(contact)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await to.fill('grand')
      await to.press('ArrowDown')
      await to.press('Enter')
      await address(recipient, page).waitFor()
      await look('send-contact')
    })

    chapter('explains that an amount is too high before it asks the service', async (page) => {
      await page.getByLabel('Currency', { exact: true }).selectOption({ label: 'USDC' })
      await page.getByLabel('To', { exact: true }).fill(recipient)
      await page.getByLabel('Amount', { exact: true }).fill('5000')
      await review().click()
      await page.getByText('You have 100 USDC on this network.').waitFor()
      await page.getByLabel('Network', { exact: true }).selectOption({ label: 'Local 2' })
      await page.getByLabel('Amount', { exact: true }).fill('0')
      await page.getByLabel('Network', { exact: true }).selectOption({ label: 'Local 1' })
      // Another network keeps the currency.
      expect(await page.getByLabel('Currency', { exact: true }).locator('option:checked').textContent()).toBe(
        'USDC',
      )
      await page.getByLabel('Currency', { exact: true }).selectOption({ label: 'ETH' })
    })

    chapter('restores the form when navigating back from a review, and after a reload', async (page) => {
      await page.getByLabel('To', { exact: true }).fill(recipient)
      await page.getByLabel('Amount', { exact: true }).fill('0.125')
      await review().press('Enter')
      await page.getByRole('heading', { name: 'Review and sign' }).waitFor()
      await page.goBack()
      await review().waitFor()
      expect(await page.getByLabel('Amount', { exact: true }).inputValue()).toBe('0.125')
      await page.locator('button:focus', { hasText: 'Review' }).waitFor()
      await page.reload()
      await review().waitFor()
      expect(await page.getByLabel('Amount', { exact: true }).inputValue()).toBe('0.125')
      expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe(recipient)
    })

    chapter('keeps the focus after a failed review, a cancelled prompt, and the faucet', async (page) => {
      await page.route('**/trpc/webauthn.transactionOptions*', (route) => route.abort())
      await review().press('Enter')
      await page.getByText('The service is not responding.').first().waitFor()
      await page.locator('button:focus', { hasText: 'Review' }).waitFor()
      await page.unroute('**/trpc/webauthn.transactionOptions*')
      await review().press('Enter')
      const sign = page.getByRole('button', { name: 'Sign with passkey' })
      await browser().authenticator.setUserVerified(false)
      await sign.press('Enter')
      await page.getByText(/^Nothing was signed/).waitFor()
      await page.locator('button:focus', { hasText: 'Sign with passkey' }).waitFor()
      await browser().authenticator.setUserVerified(true)
      await sign.press('Enter')
      await page.getByRole('heading', { name: 'Done' }).waitFor()
      await look('send-done-focus')
      await go('Home')
      const faucet = page.getByRole('button', { name: 'Get test money on Local 1' })
      await faucet.press('Enter')
      await page.getByText('Test money arrived on Local 1.').waitFor({ state: 'attached' })
      await page.locator('button:focus', { hasText: 'Local 1' }).waitFor()
      // A paid draft is deleted.
      await go('Send')
      expect(await page.getByLabel('Amount', { exact: true }).inputValue()).toBe('')
    })

    chapter('shows incoming ETH with its sender, and sorts everything by date', async (page) => {
      const list = page.getByRole('region', { name: 'Activity' })
      await go('Activity')
      const sent = list.getByRole('button', { name: /^Sent 0\.125 ETH to .*0x7099…79C8/ })
      await sent.waitFor()
      // The faucet paid once before the account was deployed, and once after that.
      const incoming = list.getByRole('button', { name: /^Received 1 ETH from 0x/ }).first()
      await incoming.waitFor()
      await list.getByText('Received 100 USDC, test money').first().waitFor()
      const times = await list
        .locator('time')
        .evaluateAll((shown) => shown.map((time) => time.getAttribute('datetime')))
      expect(times.length).toBeGreaterThanOrEqual(4)
      expect(times).toEqual(times.toSorted().toReversed())
      await look('activity-timeline')
      await sent.click()
      const receipt = page.getByRole('dialog', { name: 'Receipt' })
      await receipt.getByText('Details').click()
      const history = receipt.getByRole('list', { name: 'History' })
      await history.getByText('Permanent').waitFor()
      expect(await history.locator('li > span:first-child').allTextContents()).toEqual([
        ...['Prepared', 'Signed', 'Sent to the network', 'Included in a block', 'Permanent'],
      ])
      await receipt.getByText('Signed by').waitFor()
      await look('activity-details')
      await page.keyboard.press('Escape')
      await page.getByRole('radio', { name: 'Received' }).click()
      await sent.waitFor({ state: 'detached' })
      await page.setViewportSize({ width: 360, height: 740 })
      await page.getByRole('radio', { name: 'All' }).click()
      await look('activity-timeline-narrow')
      await page.setViewportSize({ width: 1440, height: 900 })
    })

    chapter('shows one total on Home, and receives without scrolling on a phone', async (page) => {
      await page.setViewportSize({ width: 360, height: 740 })
      await go('Home')
      const total = page.getByRole('region', { name: 'Total balance' })
      await total.getByText('200.00').first().waitFor()
      await look('home-total-narrow')
      await total.getByRole('link', { name: 'Receive' }).click()
      const code = page.getByRole('img', { name: 'QR code of your address' })
      await code.waitFor()
      const fits = await page.getByRole('button', { name: 'Copy your address' }).evaluate((button) => {
        const bar = document.querySelector('nav.fixed')?.getBoundingClientRect().top ?? 0
        return button.getBoundingClientRect().bottom <= bar
      })
      expect(fits).toBe(true)
      await look('receive-narrow')
      await page.getByText('Request an amount').click()
      await page.getByLabel('Amount', { exact: true }).fill('1.5')
      await page.getByRole('img', { name: 'QR code of your request' }).waitFor()
      await page.setViewportSize({ width: 1440, height: 900 })
      await look('receive-request')
      await go('Home')
      await total.getByText('200.00').first().waitFor()
      await look('home-total')
    })

    chapter('opens the receipt of a payment, with the fee that was paid', async (page) => {
      const recent = page.getByRole('region', { name: 'Activity' })
      await recent
        .getByRole('button', { name: /^Sent 0\.125 ETH/ })
        .first()
        .click()
      const receipt = page.getByRole('dialog', { name: 'Receipt' })
      await receipt.getByText('Paid', { exact: true }).waitFor()
      await receipt
        .getByRole('definition')
        .getByText(/^(0|less than 0)[.]\d+ ETH$/)
        .waitFor()
      await look('receipt')
      // The actions stay in sight, also where the receipt is longer than the screen.
      await receipt.getByText('Details').click()
      await receipt.getByText('Signed by').waitFor()
      const again = receipt.getByRole('link', { name: 'Send again' })
      for (const [width, height] of [
        [360, 740],
        [1440, 900],
      ] as const) {
        await page.setViewportSize({ width, height })
        const foot = await again.evaluate((link) => {
          const { left, top, width, height } = link.getBoundingClientRect()
          return link.contains(document.elementFromPoint(left + width / 2, top + height / 2))
        })
        expect(foot, `in sight at ${width}`).toBe(true)
      }
      await page.keyboard.press('Escape')
      await receipt.waitFor({ state: 'hidden' })
      await recent
        .getByRole('button', { name: /^Received 1 ETH/ })
        .first()
        .click()
      await receipt.getByText('from', { exact: false }).first().waitFor()
      expect(await receipt.getByText('Fee', { exact: true }).count()).toBe(0)
      await look('receipt-incoming')
      await receipt.getByRole('button', { name: 'Close' }).click()
      await receipt.waitFor({ state: 'hidden' })
    })

    chapter('makes every button at least 44 pixels high on a touch screen', async (page) => {
      await page.setViewportSize({ width: 360, height: 740 })
      const found: string[] = []
      for (const [place, title] of [
        ['Home', /^You have/],
        ['Send', 'Send'],
        ['Activity', 'Activity'],
        ['Protection', 'Protection'],
        ['Apps', 'Session keys'],
      ] as const) {
        await go(place)
        await page.getByRole('heading', { name: title, level: 1 }).waitFor()
        // Finds controls that miss presses 21 pixels above or below their middle. Links in running text are
        // exempt (WCAG 2.2, 2.5.8).
        const small = await page.evaluate(() => {
          const targets = [...document.querySelectorAll('button, [role=tab], summary, nav a, select, input')]
          return targets.flatMap((target) => {
            target.scrollIntoView({ block: 'center' })
            const { left, top, width, height } = target.getBoundingClientRect()
            const takes = (offset: number) => {
              const hit = document.elementFromPoint(left + width / 2, top + height / 2 + offset)
              return hit !== null && target.contains(hit)
            }
            // The theme buttons grow only for a coarse pointer, and fingers do not press elements for screen
            // readers.
            if (target.closest('[aria-label=Theme], .sr-only, label')) return []
            // Controls in a closed section have a size, but nobody can press them.
            if (width === 0 || !target.checkVisibility() || (takes(-21) && takes(21))) return []
            return [`${target.getAttribute('aria-label') ?? target.textContent} ${width}×${height}`]
          })
        })
        found.push(...small.map((target) => `${place}: ${target}`))
      }
      expect(found).toEqual([])
      await page.setViewportSize({ width: 1440, height: 900 })
    })

    chapter('refuses an address with the ends of one that was paid', async (page) => {
      await go('Send')
      await page
        .getByLabel('To', { exact: true })
        .fill(recipient.replace(/^(.{6}).*(.{4})$/, `$1${'4c1e90ab'.repeat(4)}$2`).toLowerCase())
      await page.getByLabel('Amount', { exact: true }).fill('0.5')
      await page.getByText(/^This looks like .*, and is not$/).waitFor()
      await review().click()
      await page.getByText('Confirm the address first.').waitFor()
      await look('send-look-alike')
      expect(await page.getByRole('button', { name: 'Sign with passkey' }).count()).toBe(0)
    })

    chapter('warns before a first payment, and shows the remaining balance', async (page) => {
      await go('Send')
      await page.getByLabel('To', { exact: true }).fill('0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC')
      await page.getByLabel('Amount', { exact: true }).fill('0.5')
      await review().click()
      await page.getByText('First payment to this address.').waitFor()
      await page.getByText('Balance after, at least').waitFor()
      await look('send-review-risks')
      await page.getByRole('button', { name: 'Back' }).click()
      await page.getByLabel('To', { exact: true }).fill(recipient)
      await review().click()
      await page.getByText('Balance after, at least').waitFor()
      expect(await page.getByText('First payment to this address.').count()).toBe(0)
    })

    chapter('follows a payment on every screen, through a reload, until it is final', async (page) => {
      // Four times the payment before, and most of the balance.
      await page.getByLabel('I want to send 0.5 ETH.').check()
      await page.getByRole('button', { name: 'Sign with passkey' }).click()
      await page.getByRole('heading', { name: 'Done' }).waitFor()
      await go('Protection')
      const tray = page.getByRole('status', { name: 'Payments under way' })
      await tray.getByText(`Sent 0.5 ETH to ${contact} (0x7099…79C8) on Local 1`).waitFor()
      const covered = await tray.evaluate((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect()
        const others = [...document.querySelectorAll('button, a, summary')].filter(
          (target) => !element.contains(target) && target.checkVisibility() && !target.closest('.sr-only'),
        )
        return others.flatMap((target) => {
          const box = target.getBoundingClientRect()
          const isApart =
            box.right <= left ||
            box.left >= right ||
            box.bottom <= top ||
            box.top >= bottom ||
            box.width === 0
          return isApart ? [] : [target.textContent]
        })
      })
      expect(covered).toEqual([])
      // A look takes longer than the tray shows an outcome when the machine is busy.
      await page.reload()
      await tray.getByText(`Sent 0.5 ETH to ${contact} (0x7099…79C8) on Local 1`).waitFor()
      await tray.getByText('Paid').waitFor()
      await tray.getByRole('button', { name: 'Hide' }).first().click()
      await tray.getByText('Sent 0.5 ETH').waitFor({ state: 'detached' })
    })

    chapter('does not poll while nothing happens, and is notified of incoming transfers', async (page) => {
      const account: string = await page.evaluate(
        () => JSON.parse(sessionStorage.getItem('lanyard.session') ?? '{}').account,
      )
      await untilAllIsFinal(service().url, account)
      const requested: string[] = []
      const underWay = new Set<Request>()
      const nameOf = (request: Request) => /\/trpc\/([\w.]+)/.exec(request.url())?.[1]
      page.on('request', (request) => {
        const name = nameOf(request)
        if (name === undefined) return
        requested.push(name)
        if (name !== 'events.listen') underWay.add(request)
      })
      for (const end of ['requestfinished', 'requestfailed'] as const)
        page.on(end as 'requestfinished', (request) => void underWay.delete(request))
      const count = (name: string) => requested.filter((one) => one === name).length
      await go('Home')
      await page.clock.install()
      await page.reload()
      await expect.poll(() => count('events.listen')).toBe(1)
      // From here on, the page's time passes only here. The stream reconnects after 40 seconds without a sign of
      // the service, whose time does not jump: what follows is shorter.
      await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
      /** The requests of 16 seconds. Without a stream, the page polls every 15. */
      const askedInSixteenSeconds = async () => {
        await expect.poll(() => underWay.size).toBe(0)
        requested.length = 0
        await page.clock.runFor('00:16')
        await page.evaluate(() => undefined)
        return [...requested]
      }
      await expect.poll(askedInSixteenSeconds).toEqual([])

      await payFromOutside(service().rpcUrl, account)
      const requestedSoon = async () => {
        await page.clock.runFor(200)
        return requested
      }
      await expect.poll(requestedSoon, { interval: 500 }).toContain('wallet.balances')
      expect(count('events.listen')).toBe(0)
      await page.clock.resume()
      await page.getByRole('region', { name: 'Total balance' }).waitFor()
    })

    chapter('asks nobody to pay a link again after a reload', async (page) => {
      const request = encodeURIComponent(`ethereum:${recipient}@31337?value=1e16`)
      await page.goto(`${service().url}/send?request=${request}`)
      await page.waitForFunction(
        () => document.querySelector<HTMLInputElement>('input[inputmode=decimal]')?.value === '0.01',
      )
      await review().click()
      await page.getByRole('button', { name: 'Sign with passkey' }).click()
      await page.getByRole('heading', { name: 'Done' }).waitFor()
      await page.reload()
      await page.getByLabel('To', { exact: true }).waitFor()
      expect(new URL(page.url()).search).toBe('')
      expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('')
      expect(await page.getByLabel('Amount', { exact: true }).inputValue()).toBe('')
    })
  },
)

/** Waits until every event of an account is final. */
async function untilAllIsFinal(url: string, account: string): Promise<void> {
  const response = await fetch(`${url}/events?walletAddress=${account}&lastEventId=0`)
  const open = new Set<string>()
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const messages = text.split('\n\n')
    text = messages.pop() ?? ''
    for (const message of messages) {
      const [, data] = /^data: (.*)$/m.exec(message) ?? []
      if (data === undefined) continue
      const event = JSON.parse(data)
      const subject = event.data.userOpHash ?? `${event.data.blockHash}:${event.data.logIndex}`
      if (event.data.final) open.delete(subject)
      else open.add(subject)
    }
    if (open.size === 0 && messages.some((message) => message.startsWith('id:'))) return
  }
}

/** Sends ether to an account from one of anvil's accounts. */
async function payFromOutside(rpcUrl: string, to: string): Promise<void> {
  const ask = async (method: string, params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    return (await response.json()).result
  }
  const [from] = await ask('eth_accounts', [])
  expect(await ask('eth_sendTransaction', [{ from, to, value: '0xde0b6b3a7640000' }])).toMatch(/^0x/)
}
