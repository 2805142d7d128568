/** @module-tag all */
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { findBarriers } from './accessibility.ts'
import { overflowOf } from './overflow-of.ts'
import { describeOnStage } from './stage.ts'

describeOnStage('the documentation in a browser', ({ service, page, chapter }) => {
  const title = 'Accounts that you run, and only their owners can move'
  const open = (path: string) => page().goto(`${service().url}/docs${path}`)

  chapter('opens at the overview, with the quick start first', async (page) => {
    await open('')
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of [360, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await overflowOf(page)).toBe(0)
        expect(await findBarriers(page), `${width} ${colorScheme}`).toEqual([])
        const name = `../artifacts/docs-home-${width}-${colorScheme}.png`
        await page.screenshot({ path: fileURLToPath(new URL(name, import.meta.url)) })
      }
    }
    // The big field opens the search, as its key does.
    await page.getByRole('button', { name: 'Search, or ask a question' }).click()
    await page.getByRole('searchbox').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox').waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.getByRole('searchbox').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Copy: npm start' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('npm start')
    // Every way out of the page leads somewhere.
    const links = await page
      .locator('.home a')
      .evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).href))
    expect(links).toHaveLength(8)
    for (const link of links) expect((await fetch(link)).status, link).toBe(200)
    await page.getByRole('link', { name: 'Quick start' }).first().click()
    await page.getByRole('heading', { name: 'A first transaction' }).waitFor()
    expect(page.url()).toBe(`${service().url}/docs/quick-start`)
  })

  chapter('searches without requests to third parties', async (page) => {
    const elsewhere: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(service().url)) elsewhere.push(request.url())
    })
    await page.getByRole('button', { name: /Search/ }).click()
    for (const wanted of ['theming', 'python', 'passkey recovery']) {
      await page.getByRole('searchbox').fill(wanted)
      await page.getByRole('option').first().waitFor()
    }
    await page.getByRole('searchbox').fill('requestExit')
    await page.getByRole('option').first().click()
    await page.getByRole('option').first().waitFor({ state: 'detached' })
    expect(page.url()).toMatch(/\/docs\/.+/)
    expect(elsewhere).toEqual([])
  })

  /** What people look for, and the path of the page that has to come first. */
  const questions = {
    logo: /brand|questions/,
    'next.js': /next-js|questions/,
    'who pays gas': /gas|questions/,
    'recover a lost passkey': /recover-a-lost-passkey/,
    'fiat price': /questions/,
    'session key limits': /session-key/,
    vanilla: /vanilla-javascript/,
    'react native': /apps-on-phones|questions/,
    'webhook signature': /events|questions/,
    backup: /database|operations|questions/,
    python: /from-python-or-go|questions/,
    base: /run-it-on-base|questions/,
    theming: /packages\/react|brand|questions/,
  }
  chapter('answers twelve questions with the first hit', async (page) => {
    await open('')
    await page.getByRole('button', { name: 'Search, or ask a question' }).click()
    const first: Record<string, string | null> = {}
    for (const [question, expected] of Object.entries(questions)) {
      await page.getByRole('searchbox').fill(question)
      const hit = page.getByRole('option').first().getByRole('link')
      // Each answer replaces the one before.
      await expect
        .poll(async () => (first[question] = await hit.getAttribute('href')), { timeout: 20_000 })
        .toMatch(expected)
        .catch(() => undefined)
    }
    const wrong = Object.entries(questions).filter(([one, expected]) => !expected.test(first[one] ?? ''))
    expect(wrong.map(([one]) => `${one}: ${first[one]}`)).toEqual([])
  })

  chapter("draws diagrams in the page's theme", async (page) => {
    await open('/architecture')
    await page.locator('.diagram svg').first().waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.reload()
    await page.locator('.diagram svg').first().waitFor()
    expect(await page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(true)
  })

  chapter('explains the code in an error body', async (page) => {
    await open('/errors#REBUILD')
    await page.locator('h2#REBUILD').waitFor()
    await page.locator('h2#REBUILD').scrollIntoViewIfNeeded()
  })

  chapter('links to the API reference', async (page) => {
    await open('')
    await page.getByRole('link', { name: 'Try the API' }).first().click()
    await page.getByText('Every request is filled with an example').waitFor()
    await page.getByRole('main').waitFor() // the reference renders it later
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await findBarriers(page), colorScheme).toEqual([])
    }
    await page.getByRole('link', { name: '← Documentation' }).click()
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
  })

  chapter('runs an example of the reference as shown', async (page) => {
    await open('/reference#?route=post-/smart-account/create')
    // The navigation names what is called.
    await page.getByText('/smart-account/create').first().waitFor()
    const execute = page.getByRole('button', { name: 'EXECUTE' })
    await execute.hover()
    const { color, backgroundColor } = await execute.evaluate((button) => {
      const { color, backgroundColor } = getComputedStyle(button)
      return { color, backgroundColor }
    })
    expect(color).not.toBe(backgroundColor)
    await execute.click()
    await page
      .getByText(/"scw_address"/)
      .first()
      .waitFor()
  })

  chapter('answers a mistyped address with a page that leads on', async (page) => {
    await open('/quik-start')
    await page.getByText('PAGE NOT FOUND').waitFor()
    await page
      .getByRole('button', { name: /Search/ })
      .first()
      .waitFor()
  })
})
