/** @module-tag longer */
// @promise 21 23 A.11
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { describeOnStage } from './stage.ts'
import { startService } from './start-service.ts'

/** Anvil's second account. */
const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Counts the passkey prompts of this page from now on. */
const countCeremonies = (page: Page) =>
  page.evaluate(() => {
    const get = navigator.credentials.get.bind(navigator.credentials)
    const counted = window as unknown as { ceremonies: number }
    counted.ceremonies = 0
    navigator.credentials.get = (options) => {
      counted.ceremonies++
      return get(options)
    }
  })
const ceremonies = (page: Page) =>
  page.evaluate(() => (window as unknown as { ceremonies: number }).ceremonies)

/** As if its window were shown again: what is old is read anew. */
const refresh = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

describeOnStage(
  'the wallet with a broken connection',
  ({ service, browser, page, chapter, look, go }) => {
    const review = async () => {
      await go('Send')
      await page().getByLabel('To', { exact: true }).fill(recipient)
      await page().getByLabel('Amount', { exact: true }).fill('0.25')
      await page().getByRole('button', { name: 'Review' }).click()
    }

    chapter('does not later send a payment that was confirmed offline', async (page) => {
      await page.getByLabel('Username', { exact: true }).fill('dora')
      await page.getByRole('button', { name: 'Create with a passkey' }).click()
      await page.getByRole('button', { name: 'Get test money on Local 1' }).click()
      await page.getByText('Test money arrived on Local 1.').waitFor({ state: 'attached' })
      await review()
      const sign = page.getByRole('button', { name: 'Sign with passkey' })
      await sign.waitFor()
      await countCeremonies(page)
      await browser().context.setOffline(true)
      for (let press = 0; press < 3; press++) {
        const failed = page.waitForEvent('requestfailed', (request) => /system\.networks/.test(request.url()))
        await sign.click()
        await failed
      }
      // Each press takes away what the last one said, until it has failed as well.
      const alerts = () => page.getByRole('alert').allInnerTexts()
      await expect.poll(alerts).toEqual([expect.stringContaining('You are offline.')])
      await look('send-offline')
      await go('Protection')
      await browser().context.setOffline(false)
      await page.getByRole('heading', { name: 'Owners now' }).waitFor()
      await go('Activity')
      const activity = page.getByRole('region', { name: 'Activity' })
      await activity.getByText('Received 100 USDC, test money').waitFor()
      expect(await activity.getByText(/^Sen[dt] /).count()).toBe(0)
      expect(await ceremonies(page)).toBe(0)
      const { networks } = await (await fetch(`${service().url}/networks`)).json()
      expect(networks).toHaveLength(3)
    })

    chapter('counts a press whose button moves before the finger leaves it', async (page) => {
      await go('Send')
      await page.getByLabel('To', { exact: true }).fill(recipient)
      await page.getByLabel('Amount', { exact: true }).fill('0.25')
      const review = page.getByRole('button', { name: 'Review' })
      const pressed = async () => {
        const box = await review.boundingBox()
        if (!box) throw new TypeError('The button is shown')
        return { x: box.x + box.width / 2, y: box.y + 6, top: box.y }
      }
      // The balances cannot be refreshed, which a notice above the form says.
      await page.route('**/trpc/wallet.balances*', (route) => route.abort())
      const { x, y } = await pressed()
      await page.mouse.move(x, y)
      await page.mouse.down()
      await refresh(page)
      await page.getByText('The service is not responding.').waitFor()
      expect((await pressed()).top).toBeGreaterThan(y)
      await page.mouse.up()
      await page.getByRole('heading', { name: 'Review and sign' }).waitFor()
      await page.getByRole('button', { name: 'Back' }).click()
      // A finger that leaves the button takes the press back.
      const again = await pressed()
      await page.mouse.move(again.x, again.y)
      await page.mouse.down()
      await page.mouse.move(again.x, again.top - 40)
      await page.mouse.up()
      await page.unroute('**/trpc/wallet.balances*')
      await refresh(page)
      await page.getByText('The service is not responding.').waitFor({ state: 'detached' })
      expect(await review.getAttribute('aria-busy')).toBe('false')
    })

    chapter('a request without an answer can be cancelled', async (page) => {
      await page.route('**/trpc/webauthn.transactionOptions*', () => {})
      await review()
      await page.getByText('Preparing…').waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Review' }).waitFor()
      expect(await page.getByLabel('Amount', { exact: true }).inputValue()).toBe('0.25')
      await page.unroute('**/trpc/webauthn.transactionOptions*')
      await page.getByRole('button', { name: 'Review' }).click()
      await page.getByRole('button', { name: 'Sign with passkey' }).waitFor()
    })

    chapter('shows that its data is old while the service fails, and recovers', async (page) => {
      await go('Home')
      await page.getByText('100.00').first().waitFor()
      await page.route('**/trpc/**', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
      await page.getByText('The service is not responding.').waitFor()
      await page.getByText('100.00').first().waitFor()
      await look('home-service-down')
      await page.unroute('**/trpc/**')
      await page.getByText('The service is not responding.').waitFor({ state: 'detached' })
    })

    chapter('shows an offline page if nothing can be loaded, and no old balance', async (page) => {
      await page.evaluate(() => navigator.serviceWorker.ready)
      await service()[Symbol.asyncDispose]()
      await page.goto(`${service().url}/activity`)
      await page.getByRole('heading', { name: 'Lanyard cannot be reached.' }).waitFor()
      await look('offline')
      // The URL does not change, so trying again opens the intended screen.
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('heading', { name: 'Lanyard cannot be reached.' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/activity')
      const kept = await page.evaluate(async () => {
        const caught = await Promise.all(
          (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
        )
        return caught.flat().map(({ url }) => new URL(url).pathname)
      })
      expect(kept.sort()).toEqual(['/icon.svg', '/offline.css', '/offline.html', '/offline.js', '/theme.js'])
    })
  },
  startService,
) // which it stops
