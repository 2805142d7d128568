/** @module-tag all */
import type { Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { type EmbeddedPage, serveEmbedded } from './serve-page.ts'
import { describeOnStage } from './stage.ts'
import { startService } from './start-service.ts'

let app: EmbeddedPage
afterAll(() => app?.[Symbol.asyncDispose]())

/** Styles in markup, as a server renders them, and scripts of other pages are refused. */
const strictPolicy = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src *; require-trusted-types-for 'script'",
}

describeOnStage(
  'the components of @lanyard/react',
  ({ service, chapter, look }) => {
    const show = async (page: Page, query: string) => {
      await page.goto(`${app.origin}/?${query}`)
      await page.locator('main').getByRole('heading').first().waitFor()
    }

    chapter('each state, in both themes and German, under a strict policy', async (page) => {
      const refused: string[] = []
      page.on('console', (message) => {
        if (/Content Security Policy|Trusted/.test(message.text())) refused.push(message.text())
      })
      for (const query of ['lang=en', 'lang=de&look=shop']) {
        await show(page, query)
        await page.getByText(/^(cannot sign on Local 2 yet|kann in Local 2 noch nicht signieren)$/).waitFor()
        await page
          .getByText(/^(To|An) 0x3C44…93BC$/)
          .first()
          .waitFor()
        for (const word of [/^(Continue with a|Weiter mit) passkey$/i, 'Send'])
          await page.getByRole('button', { name: word }).last().click()
        await page.getByRole('alert').filter({ visible: true }).nth(2).waitFor()
        await look(`gallery-${query.replaceAll(/\W+/g, '-')}`)
        await show(page, `${query}&dialog`)
        await page
          .getByText(/Harbour Books/)
          .first()
          .waitFor()
        await look(`gallery-dialog-${query.replaceAll(/\W+/g, '-')}`)
      }
      expect(refused).toEqual([])
    })

    chapter('an account signs up in the dialog, pays once, and sees it', async (page) => {
      await show(page, `service=${encodeURIComponent(service().url)}`)
      await page.getByRole('button', { name: 'Pay 0.25 ETH' }).click()
      await page.getByRole('heading', { name: /^Sign in to/ }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('heading', { name: 'Sign in to Harbour Books' }).waitFor()
      await page.getByLabel('Your name').fill('mara')
      await page.getByText('This name is free.').waitFor()
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByRole('button', { name: 'Account of mara' }).waitFor()
      await page.getByText('Nothing yet.').waitFor()
      await page.getByText('No guardians.').waitFor()
      await page.getByText('on every network').waitFor()
      await page.getByRole('button', { name: 'Get test money' }).click()
      await page.getByText('1 ETH', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Pay 0.25 ETH' }).click()
      await page.getByText('Paid · 0.25 ETH').waitFor()
      await page.getByText('To 0x3C44…93BC').waitFor()
      await look('gallery-account')
      await page.reload()
      // The same invoice is not paid again, neither by this press nor after a reload.
      await page.getByRole('button', { name: 'Pay 0.25 ETH' }).click()
      await page.getByText('Paid · 0.25 ETH').waitFor()
      await page.getByText('To 0x3C44…93BC').waitFor()
      expect(await page.getByText('To 0x3C44…93BC').count()).toBe(1)
      await page.getByRole('button', { name: 'Account of mara' }).click()
      await look('gallery-menu')
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    })
  },
  async () => {
    app = await serveEmbedded('packages/react/gallery', strictPolicy)
    return startService({ ORIGINS: app.origin })
  },
)
