/** @module-tag all */
/** @module-tag longer */
// @promise 21

import { localTransport } from '@lanyard/devnet'
import type { Locator, Page } from 'playwright-core'
import { createPublicClient, erc20Abi, formatUnits, parseUnits } from 'viem'
import { expect } from 'vitest'
import { tooWideWithLargeText } from './large-text.ts'
import { overflowOf } from './overflow-of.ts'
import { readDownload } from './read-download.ts'
import { describeOnStage } from './stage.ts'

/** Anvil's third account, an arbitrary recipient. */
const recipient = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const names = ['Local 1', 'Local 2', 'Local 3']

describeOnStage(
  'the combined balance in a browser',
  ({ service, browser, page, chapter, look, go, openMenu }) => {
    const total = () => page().getByRole('region', { name: 'Total balance' })
    const assets = () => page().getByRole('region', { name: 'Assets' })
    const sign = (on: Page) => on.getByRole('button', { name: 'Sign with passkey' }).click()

    /** The remaining deposits in base units. Fees change with the gas price, so the test tracks this total. */
    let left = parseUnits('300', 6)
    const signPayment = async (on: Page) => {
      const total = on.getByText('Taken from your combined balance').locator('xpath=following-sibling::dd')
      left -= parseUnits(((await total.textContent()) ?? '').replace(/[^\d.]/g, ''), 6)
      await sign(on)
    }

    const amountBecomes = (amount: string) =>
      expect.poll(() => page().getByLabel('Amount', { exact: true }).inputValue()).toBe(amount)

    chapter('starts with nothing', async (page) => {
      await page.getByLabel('Username', { exact: true }).fill('carol')
      await page.getByText('Available', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Create with a passkey' }).click()
      // Who has nothing can only receive.
      await total().getByText('Nothing here yet.').waitFor()
      expect(await total().getByRole('link').allTextContents()).toEqual(['Receive', 'Request'])
      await look('combined-empty')
      await go('Activity')
      await page.getByRole('radio', { name: 'Combined balance' }).click()
      await page.getByText('What you send, receive and change appears here.').waitFor()
      await page.goto(`${service().url}/take-out`)
      await page.getByText('Nothing deposited').waitFor()
      await look('take-out-empty')
    })

    chapter('shows what is selected and what can be pressed in forced colours', async (page) => {
      await page.emulateMedia({ forcedColors: 'active' })
      const lookOf = (target: Locator) =>
        target.evaluate((element) => {
          const { backgroundColor, textDecorationLine } = getComputedStyle(element)
          return `${backgroundColor} ${textDecorationLine}`
        })
      const places = page.getByRole('navigation', { name: 'Main' }).first()
      await page.goto(`${service().url}/activity`)
      await page.getByText('No activity yet').waitFor()
      for (const [selected, other] of [
        [page.getByRole('radio', { name: 'All' }), page.getByRole('radio', { name: 'Sent' })],
        [places.getByRole('link', { name: 'Activity' }), places.getByRole('link', { name: 'Protection' })],
      ] as const)
        expect(await lookOf(selected)).not.toBe(await lookOf(other))
      await openMenu()
      const [system, dark] = ['Like the system', 'Dark'].map((name) => page.getByRole('radio', { name }))
      if (system && dark) expect(await lookOf(system)).not.toBe(await lookOf(dark))
      await page.keyboard.press('Escape')
      await go('Protection')
      await page.getByRole('button', { name: 'Add an owner' }).click()
      const [passkey, address] = ['Passkey', 'Address'].map((name) => page.getByRole('tab', { name }))
      if (passkey && address) expect(await lookOf(passkey)).not.toBe(await lookOf(address))
      const create = page.getByRole('button', { name: 'Create a passkey' })
      expect(await create.evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe('1px')
      await page.emulateMedia({ forcedColors: null })
    })

    chapter('deposits on three networks, with one signature for each', async (page) => {
      await go('Home')
      for (const name of names) {
        await page.getByRole('button', { name: `Get test money on ${name}` }).click()
        await page.getByText(`Test money arrived on ${name}.`).waitFor({ state: 'attached' })
      }
      await assets().getByText('Nothing is deposited.').waitFor()
      await look('home-before-deposit')
      for (const name of names) {
        await go('Home')
        await page.getByRole('link', { name: `Deposit from ${name}` }).click()
        await page.getByText(`100 USDC in your account on ${name}`).waitFor()
        await page.getByText('The contract is not audited yet: deposit only what you could lose.').waitFor()
        if (name === 'Local 1') {
          await page.getByLabel('Amount', { exact: true }).fill('1000')
          await page.getByRole('button', { name: 'Review' }).click()
          await page.getByText('You have 100 USDC on Local 1.').waitFor()
          await look('deposit-too-much')
        }
        await page.getByRole('button', { name: 'Max: deposit all USDC' }).click()
        await page.getByRole('button', { name: 'Review' }).click()
        await page.getByText('into your combined balance').waitFor()
        await page.getByText('Lets your passkey spend this deposit').waitFor()
        if (name === 'Local 1') await look('deposit-review')
        await sign(page)
        await page.getByText(`Deposited 100 USDC into the combined balance on ${name}.`).waitFor()
      }
      await page.getByRole('link', { name: 'See your balance' }).click()
      await total().getByText('300.00').first().waitFor()
      await assets().getByText('300.00 USDC of it is deposited').waitFor()
      expect(await assets().getByText('100.00 deposited').count()).toBe(3)
      // What is permanent leaves the tray by itself.
      await expect.poll(() => page.getByRole('button', { name: 'Hide' }).count()).toBe(0)
      await look('combined')
    })

    chapter('rejects an amount above the balance, and shows the maximum', async (page) => {
      await total().getByRole('link', { name: 'Send' }).click()
      await page.getByLabel('Network', { exact: true }).selectOption({ label: 'Local 3' })
      await page.getByLabel('Currency', { exact: true }).selectOption({ label: 'USDC' })
      await page.getByLabel('To', { exact: true }).fill(recipient)
      await page.getByLabel('Amount', { exact: true }).fill('400')
      await page.getByText('Your combined balance does not cover this and its fee.').waitFor()
      await look('spend-too-much')
      await page.getByRole('button', { name: /^Use \d+/ }).click()
      const largest = await page.getByLabel('Amount', { exact: true }).inputValue()
      await page.getByText('Price valid for').waitFor()
      await page.getByLabel('Amount', { exact: true }).fill('1')
      await page.getByRole('button', { name: 'Max: send all USDC' }).click()
      await amountBecomes(largest)
      await page
        .getByLabel('The amount is', { exact: true })
        .selectOption({ label: 'What I pay, including the fee' })
      await page.getByRole('button', { name: 'Max: send all USDC' }).click()
      await amountBecomes('300')
      await page
        .getByLabel('The amount is', { exact: true })
        .selectOption({ label: 'What the recipient gets' })
    })

    chapter('rejects a price that does not match its own terms', async (page) => {
      const request = '**/trpc/smartBalance.getQuote*'
      await page.route(request, async (route) => {
        const response = await route.fetch()
        const { result } = await response.json()
        const { quote } = result.data
        const dearer = {
          ...quote,
          fee: String(BigInt(quote.fee) + 1n),
          total: String(BigInt(quote.total) + 1n),
        }
        await route.fulfill({ response, json: { result: { data: { quote: dearer } } } })
      })
      await page.getByLabel('Amount', { exact: true }).fill('249')
      await page.getByText('The service’s price does not match its own terms.').waitFor()
      await look('spend-refused')
      await page.unroute(request)
    })

    chapter('spends 250 of 300 on the third network, with one signature', async (page) => {
      await page.getByLabel('Amount', { exact: true }).fill('250')
      const price = page.getByRole('region', { name: 'Price' })
      await price.getByText('250 USDC', { exact: true }).waitFor()
      await look('spend')
      await page.getByRole('button', { name: 'Review' }).click()
      await page.getByText('Recomputed on this device').waitFor()
      await page.getByText('Sign within').waitFor()
      await look('spend-review')
      await page.getByRole('button', { name: 'Back' }).click()
      // A new quote for the same payment replaces the earlier reservation.
      await page.getByRole('button', { name: 'Review' }).click()
      await browser().authenticator.setUserVerified(false)
      await sign(page)
      await page.getByText(/^Nothing was signed/).waitFor()
      await browser().authenticator.setUserVerified(true)
      await signPayment(page)
      await page.getByRole('heading', { name: '250 USDC on Local 3' }).waitFor()
      await page.getByText('It has arrived').waitFor()
      await look('payment-arrived')
    })

    chapter('shows its settlement on the other two networks, across a reload', async (page) => {
      await page.reload()
      await page.getByRole('status').getByText('Settled', { exact: true }).waitFor()
      for (const name of ['Local 1', 'Local 2']) await page.getByText(`Collected · ${name}`).waitFor()
      await look('payment-settled')
      const { networks } = await (await fetch(`${service().url}/networks`)).json()
      const { rpcUrl, settlementToken } = networks[2]
      const client = createPublicClient({ transport: localTransport(rpcUrl) })
      const received = await client.readContract({
        address: settlementToken.address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [recipient],
      })
      expect(received).toBe(parseUnits('250', settlementToken.decimals))
    })

    chapter('finds it in the history', async (page) => {
      await page.getByRole('link', { name: 'All payments' }).click()
      const rows = page.getByRole('region', { name: 'Activity' })
      await rows
        .getByRole('button', { name: /^Sent 250 USDC to 0x3C44…93BC from the combined balance/ })
        .click()
      const receipt = page.getByRole('dialog', { name: 'Receipt' })
      await receipt.getByText('Collected · Local 2').waitFor()
      await receipt.getByText(/in all, from Local 1, Local 2, and Local 3$/).waitFor()
      await receipt.getByText('Taken from your combined balance').waitFor()
      await look('payments')
      await page.keyboard.press('Escape')
      await page.getByRole('radio', { name: 'All' }).click()
      await rows.getByText('Deposited 100 USDC into the combined balance').first().waitFor()
      // The activity list shows the withdrawal from the combined balance as part of the payment, not as a
      // receipt.
      await rows.getByText('Received 100 USDC, test money').first().waitFor()
      expect(await rows.getByText(/^Received 250 USDC/).count()).toBe(0)
      await look('activity-combined')
    })

    chapter('starts to withdraw the rest, and cancels', async (page) => {
      await go('Home')
      await assets().getByRole('link', { name: 'Withdraw' }).click()
      await page
        .getByRole('button', { name: /^Start withdrawal on/ })
        .first()
        .waitFor()
      await look('take-out')
      await page
        .getByLabel(/^How much on/)
        .first()
        .fill('1000')
      await page
        .getByRole('button', { name: /^Start withdrawal on/ })
        .first()
        .click()
      await page.getByText(/^At most \d/).waitFor()
      await page
        .getByRole('button', { name: /^Max: withdraw all on/ })
        .first()
        .click()
      await page
        .getByRole('button', { name: /^Start withdrawal on/ })
        .first()
        .click()
      await page.getByText('You can collect it on this network after seven days').waitFor()
      await look('take-out-review')
      await sign(page)
      const started = page.getByText(/^Started taking .* USDC out of the combined balance on Local/)
      const where = /on (Local \d)/.exec((await started.textContent()) ?? '')?.[1] ?? ''
      await page.getByRole('button', { name: 'Continue' }).click()
      // The wallet does not offer the same deposit again, whether the network has finalized the withdrawal or
      // not.
      await page.getByText(/ready on|Waiting until your last step is final on the network/).waitFor()
      expect(await page.getByRole('button', { name: `Start withdrawal on ${where}` }).count()).toBe(0)
      await page.getByText(/ready on/).waitFor()
      await look('take-out-waiting')
      await go('Home')
      await assets()
        .getByText(/is being withdrawn and ready on/)
        .waitFor()
      await look('combined-exiting')
      await assets().getByRole('link', { name: 'Withdraw' }).click()
      await page.getByRole('button', { name: /^Cancel withdrawal on/ }).click()
      await sign(page)
      await page.getByText(/^Cancelled taking money out of the combined balance/).waitFor()
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByText(/ready on/).waitFor({ state: 'detached' })
    })

    chapter('pays only from the deposit on one network', async (page) => {
      await go('Send')
      await page.getByLabel('Network', { exact: true }).selectOption({ label: 'Local 2' })
      await page.getByLabel('Currency', { exact: true }).selectOption({ label: 'USDC' })
      await page.getByLabel('To', { exact: true }).fill(recipient)
      await page.getByLabel('Amount', { exact: true }).fill('10')
      await page.getByText('Price valid for').waitFor()
      await page.getByRole('button', { name: 'Review' }).click()
      await page.getByText('Uses 10 USDC that you deposited on this network').waitFor()
      await signPayment(page)
      await page.getByRole('heading', { name: '10 USDC on Local 2' }).waitFor()
      await page.getByText('Arrived · Local 2').waitFor()
      expect(await page.getByText(/^Collected ·/).count()).toBe(0)
    })

    chapter('fits a phone in German, with text twice as large', async (page) => {
      const fits = async (name: string) => {
        await page.waitForTimeout(600)
        expect(await tooWideWithLargeText(page), name).toEqual([])
      }
      await go('Home')
      await page.setViewportSize({ width: 360, height: 740 })
      await openMenu()
      await page.getByLabel('Language').selectOption('de')
      await page.getByRole('heading', { name: /^Du hast/ }).waitFor()
      await fits('/')
      for (const path of ['/receive', '/deposit', '/take-out', '/sessions', '/connected-apps']) {
        await page.goto(`${service().url}${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await fits(path)
      }
      await page.goto(`${service().url}/protection`)
      await page.getByText('Erster Passkey').waitFor()
      await fits('/protection')
      await page.goto(`${service().url}/activity`)
      await fits('/activity')
      await page.getByRole('region', { name: 'Aktivität' }).getByRole('button').first().click()
      await page.getByText('Einzelheiten').click()
      await page.getByText('Unumkehrbar', { exact: true }).first().waitFor()
      await fits('a receipt')
      await page.goto(`${service().url}/send`)
      await page.getByLabel('Netzwerk', { exact: true }).selectOption({ label: 'Local 3' })
      await page.getByLabel('Währung', { exact: true }).selectOption({ label: 'USDC' })
      await page.getByLabel('An', { exact: true }).fill(recipient)
      await page.getByLabel('Betrag', { exact: true }).fill('1000')
      await page.getByText('Dein Gesamtguthaben reicht dafür und für die Gebühr nicht.').waitFor()
      await fits('/send')
      await page.getByRole('button', { name: /^Konto von/ }).click()
      await page.getByLabel('Sprache').selectOption('en')
      await page.setViewportSize({ width: 1180, height: 860 })
      await go('Home')
    })

    chapter('withdraws the rest immediately to its own account on another network', async (page) => {
      await page.goto(`${service().url}/take-out`)
      await page.getByRole('link', { name: 'Send it to your own account' }).click()
      await page.getByText('This is your own address').waitFor()
      await page.getByLabel('Network', { exact: true }).selectOption({ label: 'Local 1' })
      await page
        .getByLabel('The amount is', { exact: true })
        .selectOption({ label: 'What I pay, including the fee' })
      await page.getByText(`${formatUnits(left, 6)} USDC in your combined balance`).waitFor()
      await page.getByRole('button', { name: 'Max: send all USDC' }).click()
      await page.getByText('Price valid for').waitFor()
      await page.getByRole('button', { name: 'Review' }).click()
      await sign(page)
      await page.getByRole('status').getByText('Settled', { exact: true }).waitFor()
      await go('Home')
      await assets().getByText('Nothing is deposited.').waitFor()
      await page.getByRole('link', { name: 'Deposit from Local 1' }).waitFor()
    })

    chapter('shows which network does not answer', async (page) => {
      const request = '**/trpc/smartBalance.deposits*'
      await page.route(request, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { result: { data: { deposits: [], unavailable: [31338] } } } })
      })
      await page.reload()
      await total().getByText('Local 2 is not responding').waitFor()
      await look('combined-network-down')
      await page.unroute(request)
    })

    chapter('lists the contracts in the recovery kit', async (page) => {
      await go('Protection')
      const [kit] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download the kit' }).click(),
      ])
      const { networks } = JSON.parse(await readDownload(kit))
      for (const { smartBalance } of networks) expect(smartBalance).toMatch(/^0x[0-9a-fA-F]{40}$/)
    })

    chapter('works in dark mode and on a narrow phone', async (page) => {
      await go('Home')
      await openMenu()
      await page.getByRole('radio', { name: 'Dark' }).click()
      await page.keyboard.press('Escape')
      await look('combined-dark')
      await page.setViewportSize({ width: 360, height: 740 })
      await look('combined-narrow-dark')
      for (const [path, name] of [
        ['/send', 'spend'],
        ['/deposit', 'deposit'],
        ['/take-out', 'take-out'],
        ['/activity?show=combined', 'payments'],
      ] as const) {
        await page.goto(`${service().url}${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.waitForTimeout(600)
        await look(`${name}-narrow-dark`)
        await page.setViewportSize({ width: 320, height: 740 })
        await expect.poll(() => overflowOf(page), { message: path }).toBe(0)
        await page.setViewportSize({ width: 360, height: 740 })
      }
      await openMenu()
      await page.getByRole('radio', { name: 'Light' }).click()
      await page.keyboard.press('Escape')
      await go('Home')
      await page.waitForTimeout(600)
      await look('combined-narrow')
    })
  },
)
