import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { isLong, keepSource, tier } from '@lanyard/testing'
import type { Page } from 'playwright-core'
import { createTestClient, http } from 'viem'
import { afterAll, beforeAll, describe, expect, inject, onTestFailed, test } from 'vitest'
import { findBarriers, settle } from './accessibility.ts'
import { findChromium, withoutChromium } from './find-chromium.ts'
import { tooWideWithLargeText } from './large-text.ts'
import { type Browser, openBrowser } from './open-browser.ts'
import { overflowOf } from './overflow-of.ts'
import { findSmallTargets } from './small-targets.ts'
import { type RunningService, startService } from './start-service.ts'

/** A service and a browser, shared by all chapters of a journey. */
export interface Stage {
  service(): RunningService
  browser(): Browser
  page(): Page
  /** Each chapter continues from the state of the one before it. */
  chapter(name: string, tell: (page: Page) => Promise<void>): void
  /** Shows a screen in both themes, on a phone and a desktop, checks its accessibility, and takes pictures. */
  look(name: string): Promise<void>
  /** Follows a link of the main navigation; Send is the first action of Home. */
  go(place: string): Promise<void>
  /** Opens the account's menu: address, language, theme, and the way out. */
  openMenu(): Promise<void>
  signOut(): Promise<void>
  /** Hands the browser to another person, with a device and a profile of their own, and opens the wallet. The first is `first`. */
  as(person: string): Promise<void>
  /** Creates an account for the person at the browser. */
  register(username: string): Promise<void>
  /** Moves the time of the three local networks. */
  wait(seconds: number): Promise<void>
}

/** Widths of a small phone and a desktop, in pixels. */
const widths = [360, 1440] as const
const heightOf = (width: number) => (width < 400 ? 740 : 900)
/**
 * Structure depends on the width and colours on the theme, so the dark phone and the light desktop audit both in full. The
 * other two pairs audit the colours once more in `npm run test:long`.
 */
const themes = ['dark', 'light'] as const

/** Pictures are for people who run a journey by hand: four of them cost more than the audits of their screen. */
const takesPictures = tier === 'any'

async function sharedService(): Promise<RunningService> {
  const shared = inject('services')?.[Number(process.env.VITEST_POOL_ID) - 1]
  if (!shared) return startService()
  const stopKeeping = keepSource('service.log', () => readFile(shared.log))
  return { ...shared, [Symbol.asyncDispose]: async () => stopKeeping() }
}

/**
 * Runs a journey in a real browser against a real service. Without Chromium it prints a notice and skips.
 *
 * @param start - default: the service that the journeys of a run share
 */
export function describeOnStage(
  title: string,
  tell: (stage: Stage) => void,
  start: () => Promise<RunningService> = sharedService,
): void {
  const chromium = findChromium()
  if (!chromium) process.stderr.write(`${withoutChromium}\n`)

  describe.skipIf(!chromium)(title, () => {
    let service: RunningService
    let browser: Browser
    const barriers: string[] = []
    const smallTargets: string[] = []
    const wideScreens: string[] = []
    const page = () => browser.page
    let broken = false
    let person = 'first'
    const profiles = new Map<string, Record<'local' | 'session', Record<string, string>>>()
    const openMenu = () =>
      page()
        .getByRole('button', { name: /^Account of/ })
        .click()
    const screenshot = (name: string) =>
      page().screenshot({
        path: fileURLToPath(new URL(`../artifacts/${name}.png`, import.meta.url)),
        fullPage: true,
      })

    /**
     * Makes the viewport as high as the page, so that fixed elements stay at the bottom and cover nothing. What another
     * width shows for the first time may need another font, and is wider without it.
     */
    async function fitHeight(width: number): Promise<void> {
      const height = await page().evaluate(async () => {
        await document.fonts.ready
        // A dialog scrolls by itself, and leaves a strip of the page above it.
        const dialogs = [...document.querySelectorAll('dialog')].map(({ scrollHeight }) => scrollHeight / 0.9)
        return Math.ceil(Math.max(document.documentElement.scrollHeight, ...dialogs))
      })
      await page().setViewportSize({ width, height: Math.max(height, heightOf(width)) })
    }

    beforeAll(async () => {
      service = await start()
      browser = await openBrowser(chromium ?? '')
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
      // Skips the remaining chapters after a failure: they would only fail slowly.
      chapter: (name, tellIt) =>
        test(name, async ({ skip }) => {
          skip(broken, 'An earlier chapter failed.')
          onTestFailed(() => {
            broken = true
          })
          await tellIt(page())
        }),
      look: async (name) => {
        const usual = page().viewportSize()
        for (const width of widths) {
          await page().setViewportSize({ width, height: heightOf(width) })
          await fitHeight(width)
          if ((await overflowOf(page())) > 0) wideScreens.push(`${name}-${width}`)
          for (const theme of themes) {
            const isPair = (width === widths[0]) === (theme === 'dark')
            if (!isPair && !isLong && !takesPictures) continue
            await page().emulateMedia({ colorScheme: theme })
            const picture = `${name}-${width}-${theme}`
            for (const barrier of await findBarriers(page(), isPair ? 'all' : 'colors'))
              barriers.push(`${picture}: ${barrier}`)
            if (takesPictures) await screenshot(picture)
          }
          if (width !== widths[0]) continue
          // An answer that arrives in between makes the page higher.
          let targets: readonly string[] | undefined
          while (!targets) {
            await fitHeight(width)
            // A sheet that still opens is drawn smaller than it is.
            await settle(page())
            targets = await findSmallTargets(page())
          }
          for (const target of targets) smallTargets.push(`${name}: ${target}`)
        }
        await page().setViewportSize({ width: widths[0], height: heightOf(widths[0]) })
        const tooWide = await tooWideWithLargeText(page(), () => screenshot(`${name}-360-large-text`))
        if (tooWide.length > 0) wideScreens.push(`${name} with large text: ${tooWide.join(' | ')}`)
        if (usual) await page().setViewportSize(usual)
      },
      as: async (next) => {
        const read = () => ({ local: { ...localStorage }, session: { ...sessionStorage } })
        profiles.set(person, await page().evaluate(read))
        await browser.authenticator.useDevice(next)
        await page().evaluate(({ local = {}, session = {} }) => {
          localStorage.clear()
          sessionStorage.clear()
          for (const [key, value] of Object.entries(local)) localStorage.setItem(key, value)
          for (const [key, value] of Object.entries(session)) sessionStorage.setItem(key, value)
        }, profiles.get(next) ?? { local: {}, session: {} })
        person = next
        await page().goto(service.url)
      },
      register: async (username) => {
        await page().getByLabel('Username', { exact: true }).fill(username)
        await page().getByText('Available', { exact: true }).waitFor()
        await page().getByRole('button', { name: 'Create with a passkey' }).click()
        await page()
          .getByRole('heading', { name: /^You have/ })
          .waitFor()
      },
      wait: async (seconds) => {
        const first = Number(new URL(service.rpcUrl).port)
        for (const port of [first, first + 1, first + 2]) {
          const chain = createTestClient({ mode: 'anvil', transport: http(`http://127.0.0.1:${port}`) })
          await chain.increaseTime({ seconds })
          await chain.mine({ blocks: 1 })
        }
      },
      go: async (place) => {
        const link = (name: string) =>
          page().getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).first()
        if (place !== 'Send') return link(place).click()
        await link('Home').click()
        await page()
          .getByRole('region', { name: 'Total balance' })
          .getByRole('link', { name: 'Send', exact: true })
          .click()
      },
      openMenu,
      signOut: async () => {
        await openMenu()
        await page().getByRole('button', { name: 'Sign out' }).click()
      },
    })

    test('behavior: axe finds nothing on any screen, in either theme, on a phone or a desktop', () => {
      expect(barriers).toEqual([])
    })

    test('behavior: every target on every screen of a phone is at least 44 px', () => {
      expect([...new Set(smallTargets)]).toEqual([])
    })

    test('behavior: no screen is wider than the window', () => {
      expect(wideScreens).toEqual([])
    })

    test('behavior: no violations of the content security policy, and no uncaught errors', () => {
      expect(browser.complaints).toEqual([])
    })
  })
}
