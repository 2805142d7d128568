/** @module-tag all */
/** @module-tag longer */
import { afterAll, expect } from 'vitest'
import { type EmbeddedPage, serveEmbedded } from './serve-page.ts'
import { describeOnStage } from './stage.ts'
import { startService } from './start-service.ts'

let app: EmbeddedPage
afterAll(() => app?.[Symbol.asyncDispose]())

describeOnStage(
  'a page without a framework',
  ({ browser, chapter }) => {
    chapter('creates an account with a passkey, and pays, also after a reload', async (page) => {
      await page.goto(app.origin)
      await page.getByLabel('Your name').fill('vera')
      await page.getByRole('button', { name: 'Create an account' }).click()
      await page.getByRole('heading', { name: '0.0000 ETH' }).waitFor()
      await page.getByRole('button', { name: 'Get test money' }).click()
      await page.getByRole('heading', { name: '1.0000 ETH' }).waitFor()
      await page.reload()
      await page.getByRole('heading', { name: '1.0000 ETH' }).waitFor()
      await page.getByRole('button', { name: 'Tip 0.01 ETH' }).click()
      await page.getByRole('heading', { name: /^0\.98\d\d ETH$/ }).waitFor()
    })

    chapter('signs in on a device that knows nothing', async (page) => {
      await page.evaluate('localStorage.clear()')
      await page.reload()
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: /^0\.98\d\d ETH$/ }).waitFor()
    })

    chapter('signs nothing that differs from the request', async (page) => {
      await page.route('**/transaction/generate-options*', async (route) => {
        const answer = await route.fetch()
        const options = await answer.json()
        await route.fulfill({
          response: answer,
          json: { ...options, challenge: `A${options.challenge.slice(1)}` },
        })
      })
      await page.getByRole('button', { name: 'Tip 0.01 ETH' }).click()
      await page.getByRole('status').getByText('challenge').waitFor()
      expect(browser().complaints).toEqual([])
    })
  },
  async () => {
    app = await serveEmbedded('examples/vanilla-app')
    const service = await startService({ ORIGINS: app.origin })
    app.connectTo(service.url)
    return service
  },
)
