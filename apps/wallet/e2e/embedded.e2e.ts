/** @module-tag all */
/** @module-tag longer */
import { afterAll, expect } from 'vitest'
import { type EmbeddedPage, serveEmbedded } from './serve-page.ts'
import { describeOnStage } from './stage.ts'
import { startService } from './start-service.ts'

let app: EmbeddedPage
afterAll(() => app?.[Symbol.asyncDispose]())

describeOnStage(
  'an app with passkey accounts on its own origin',
  ({ browser, chapter, look }) => {
    /** The screen does not show when a prompt has closed. */
    const reportClosedPrompt = `
      window.closedPrompt = new Promise((resolve) => {
        const { create } = navigator.credentials
        navigator.credentials.create = (options) =>
          create.call(navigator.credentials, options).finally(resolve)
      })
      undefined`

    /** Developers see these as errors in the console. */
    const notFound: string[] = []

    chapter('shows what is wrong if the user declines or the name is rejected', async (page) => {
      page.on('response', (response) => {
        if (response.status() === 404) notFound.push(response.url())
      })
      await page.goto(app.origin)
      await look('embedded-welcome')
      await page.getByLabel('Your name').fill('0x12')
      await page.getByRole('button', { name: 'Create an account' }).click()
      await page.getByRole('alert').getByText('.').waitFor()
      await look('embedded-refused')
      await browser().authenticator.setUserVerified(false)
      await page.evaluate(reportClosedPrompt)
      await page.getByLabel('Your name').fill('judy')
      await page.getByRole('button', { name: 'Create an account' }).click()
      await page.evaluate('closedPrompt')
      await page.getByRole('alert').waitFor({ state: 'hidden' })
      await browser().authenticator.setUserVerified(true)
    })

    chapter('creates an account using only the keyboard, and pays', async (page) => {
      await page.getByLabel('Your name').focus()
      await page.getByLabel('Your name').fill('judy')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: '0.0000 ETH', exact: true }).waitFor()
      expect(await page.getByRole('button', { name: 'Tip 0.01 ETH' }).isDisabled()).toBe(true)
      await look('embedded-empty')
      await page.keyboard.press('Tab')
      await page.getByRole('button', { name: 'Get test money' }).press('Enter')
      await page.getByRole('heading', { name: '1.0000 ETH', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Tip 0.01 ETH' }).press('Enter')
      await page.getByRole('status').getByText('included').waitFor()
      await page.getByRole('heading', { name: /^0\.98\d\d ETH$/ }).waitFor()
      await look('embedded-paid')
    })

    chapter('requests no missing files', () => {
      expect(notFound).toEqual([])
      return Promise.resolve()
    })

    chapter('remembers the account after a reload', async (page) => {
      await page.reload()
      await page.getByRole('heading', { name: /^0\.98\d\d ETH$/ }).waitFor()
    })
  },
  async () => {
    app = await serveEmbedded('examples/embedded-app')
    const service = await startService({ ORIGINS: app.origin })
    app.connectTo(service.url)
    return service
  },
)
