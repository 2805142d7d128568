import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { findBarriers } from './accessibility.ts'
import { findChromium, withoutChromium } from './find-chromium.ts'
import { type Browser, openBrowser } from './open-browser.ts'
import { type RunningService, startService } from './start-service.ts'

/** Where a story plays: a service and a browser, there from the first chapter to the last. */
export interface Stage {
  service(): RunningService
  browser(): Browser
  page(): Page
  /** Each chapter goes on where the one before it ended. */
  chapter(name: string, tell: (page: Page) => Promise<void>): void
  /** Keeps a picture of a screen, and what holds people up there. */
  look(name: string): Promise<void>
  /** Presses a place of the main navigation. */
  go(place: string): Promise<void>
}

/** A story in a real browser against a real service. Skipped, saying so, without Chromium. */
export function describeOnStage(title: string, tell: (stage: Stage) => void): void {
  const chromium = findChromium()
  if (!chromium) process.stderr.write(`${withoutChromium}\n`)

  describe.skipIf(!chromium)(title, () => {
    let service: RunningService
    let browser: Browser
    const barriers: string[] = []
    const page = () => browser.page
    const screenshot = (name: string) =>
      page().screenshot({
        path: fileURLToPath(new URL(`../artifacts/${name}.png`, import.meta.url)),
        // A whole page on a desk; on a phone what is seen at first, above the bar at the bottom.
        fullPage: (page().viewportSize()?.width ?? 0) > 400,
      })

    beforeAll(async () => {
      service = await startService()
      browser = await openBrowser(chromium ?? '')
      page().setDefaultTimeout(30_000)
      await page().goto(service.url)
    })
    afterAll(async () => {
      await browser?.[Symbol.asyncDispose]()
      await service?.[Symbol.asyncDispose]()
    })

    tell({
      service: () => service,
      browser: () => browser,
      page,
      chapter: (name, tellIt) =>
        test(name, async () => {
          onTestFailed(async () => void (await screenshot('failed')))
          await tellIt(page())
        }),
      look: async (name) => {
        for (const barrier of await findBarriers(page())) barriers.push(`${name}: ${barrier}`)
        await screenshot(name)
      },
      go: (place) =>
        page()
          .getByRole('navigation', { name: 'Main' })
          .getByRole('link', { name: place, exact: true })
          .first()
          .click(),
    })

    test('behavior: no screen has a serious barrier, by day or by night', () => {
      expect(barriers).toEqual([])
    })

    test('behavior: nothing was refused by the content security policy, and nothing was thrown', () => {
      expect(browser.complaints).toEqual([])
    })
  })
}
