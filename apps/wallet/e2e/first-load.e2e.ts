/** @module-tag all */
import type { CDPSession, Page } from 'playwright-core'
import { expect } from 'vitest'
import { describeOnStage } from './stage.ts'

/** Maximum bytes transferred before a screen can be used. */
const maxTransfer = 180_000

/** A phone at the edge of its cell: 400 kbit/s, 300 ms. */
const slow = { offline: false, latency: 300, downloadThroughput: 50_000, uploadThroughput: 50_000 }
const fast = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 }

describeOnStage('the first load on a slow connection', ({ service, browser, chapter, look }) => {
  // Stays open to the end: the passkey authenticator disappears with the first session that closes.
  let session: CDPSession | undefined
  /** Opens the wallet with an empty cache, and counts bytes until `ready` resolves. */
  const load = async (page: Page, name: string, ready: () => Promise<void>) => {
    await page.evaluate(() => localStorage.removeItem('lanyard.font')) // as on a first visit
    // Stops requests of the previous page, which must not be counted.
    await page.goto('about:blank')
    session ??= await browser().context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.clearBrowserCache')
    await session.send('Network.emulateNetworkConditions', slow)
    let transferred = 0
    const count = ({ encodedDataLength }: { encodedDataLength: number }) => {
      transferred += encodedDataLength
    }
    session.on('Network.loadingFinished', count)
    const start = performance.now()
    await page.goto(service().url, { waitUntil: 'commit' })
    await page.getByText('Your wallet is loading…').waitFor()
    const shell = performance.now() - start
    await ready()
    const content = performance.now() - start
    session.off('Network.loadingFinished', count)
    await session.send('Network.emulateNetworkConditions', fast)
    const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`
    process.stdout.write(
      `${name} at 400 kbit/s, 300 ms: ${(transferred / 1_000).toFixed(0)} kB, shell after ${seconds(shell)}, content after ${seconds(content)}\n`,
    )
    expect(transferred, name).toBeGreaterThan(50_000)
    expect(transferred, name).toBeLessThanOrEqual(maxTransfer)
  }

  chapter('the welcome', async (page) => {
    await load(page, 'Welcome', () => page.getByRole('button', { name: 'Create with a passkey' }).waitFor())
    await look('welcome-slow')
  })

  chapter('a signed-in person’s Home', async (page) => {
    await page.getByLabel('Username').fill('frida')
    await page.getByRole('button', { name: 'Create with a passkey' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await load(page, 'Home', () => page.getByText('0.00').first().waitFor())
  })
})
