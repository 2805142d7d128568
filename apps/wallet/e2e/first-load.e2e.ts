/** @module-tag all */
/** @module-tag longer */
// @promise 21
import type { CDPSession, Page } from 'playwright-core'
import { expect } from 'vitest'
import { describeOnStage } from './stage.ts'

/** Maximum bytes transferred before a screen can be used. */
const maxTransfer = 190_000

/** Anvil's second account, an arbitrary recipient. */
const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** A phone at the edge of its cell: 400 kbit/s, 300 ms. */
const slow = { offline: false, latency: 300, downloadThroughput: 50_000, uploadThroughput: 50_000 }
const fast = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 }

/** Runs in a page before its own scripts, as on a first visit: `shownAt` keeps the time at which it shows `text`, in milliseconds since 1970. */
function noteWhenShown(text: string): void {
  if (location.origin === 'null') return // about:blank, which has no storage
  // Not earlier: the effects of a page that is being left could set it again.
  localStorage.removeItem('lanyard.font')
  const shown = new Promise<number>((resolve) => {
    new MutationObserver((_, observer) => {
      if (!document.body?.textContent?.includes(text)) return
      observer.disconnect()
      resolve(performance.timeOrigin + performance.now())
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
  Reflect.set(globalThis, 'shownAt', shown)
}

describeOnStage('the first load on a slow connection', ({ service, browser, chapter, look, go }) => {
  // Stays open to the end: the passkey authenticator disappears with the first session that closes.
  let session: CDPSession | undefined
  /** Opens the wallet with an empty cache, and counts what arrives until `text` is on the page. */
  const load = async (page: Page, name: string, text: string) => {
    // Stops requests of the previous page, which must not be counted.
    await page.goto('about:blank')
    await page.addInitScript(noteWhenShown, text)
    session ??= await browser().context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.clearBrowserCache')
    await session.send('Network.emulateNetworkConditions', slow)
    const files: { readonly at: number; readonly bytes: number }[] = []
    const note = ({ timestamp, encodedDataLength }: { timestamp: number; encodedDataLength: number }) => {
      files.push({ at: timestamp * 1_000, bytes: encodedDataLength })
    }
    /** Milliseconds from the network's clock to the page's. */
    let clocks: number | undefined
    const compare = ({ timestamp, wallTime }: { timestamp: number; wallTime: number }) => {
      clocks ??= (wallTime - timestamp) * 1_000
    }
    session.on('Network.loadingFinished', note)
    session.on('Network.requestWillBeSent', compare)
    const start = performance.now()
    await page.goto(service().url, { waitUntil: 'commit' })
    await page.getByText('Your wallet is loading…').waitFor()
    const shell = performance.now() - start
    const shown = await page.evaluate<number>(() => Reflect.get(globalThis, 'shownAt'))
    const content = performance.now() - start
    session.off('Network.loadingFinished', note)
    session.off('Network.requestWillBeSent', compare)
    await session.send('Network.emulateNetworkConditions', fast)
    // The font and the files of other screens follow the content, and may arrive before this process hears of it.
    const until = shown - (clocks ?? Number.NaN)
    const transferred = files.filter(({ at }) => at <= until).reduce((sum, { bytes }) => sum + bytes, 0)
    const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`
    process.stdout.write(
      `${name} at 400 kbit/s, 300 ms: ${(transferred / 1_000).toFixed(0)} kB, shell after ${seconds(shell)}, content after ${seconds(content)}\n`,
    )
    expect(transferred, name).toBeGreaterThan(50_000)
    expect(transferred, name).toBeLessThanOrEqual(maxTransfer)
  }

  chapter('the welcome', async (page) => {
    await load(page, 'Welcome', 'Create with a passkey')
    await look('welcome-slow')
  })

  chapter('a newcomer’s first transaction', async (page) => {
    let presses = 0
    const press = async (name: string) => {
      presses++
      await page.getByRole('button', { name, exact: true }).click()
    }
    const start = performance.now()
    await page.goto(service().url)
    await page.getByLabel('Username', { exact: true }).fill('frida')
    await press('Create with a passkey')
    await press('Get test money on Local 1')
    await page.getByText('Test money arrived on Local 1.').waitFor({ state: 'attached' })
    presses++
    await go('Send')
    await page.getByLabel('To', { exact: true }).fill(recipient)
    await page.getByLabel('Amount', { exact: true }).fill('0.25')
    await press('Review')
    await press('Sign with passkey')
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    const seconds = ((performance.now() - start) / 1_000).toFixed(1)
    process.stdout.write(`First transaction of a newcomer: ${presses} presses, ${seconds} s without typing\n`)
    expect(presses).toBe(5)
  })

  chapter('a signed-in person’s Home', async (page) => {
    await load(page, 'Home', '00.00')
  })
})
