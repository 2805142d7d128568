import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keepSource, keepText } from '@lanyard/testing'
import { type BrowserContext, chromium, type LaunchOptions, type Page } from 'playwright-core'
import { inject } from 'vitest'
import { addVirtualAuthenticator, type VirtualAuthenticator } from './virtual-authenticator.ts'

export interface Browser extends AsyncDisposable {
  readonly context: BrowserContext
  readonly page: Page
  readonly authenticator: VirtualAuthenticator
  /** Uncaught errors of the page, and content security policy violations. */
  readonly complaints: readonly string[]
}

/** Milliseconds. Limits only what hangs, like the limits of vitest: a popup may take a minute on a busy machine. */
const timeout = 180_000

export const chromiumOptions = (executablePath: string): LaunchOptions => ({
  executablePath,
  headless: true,
  timeout,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
})

/** A fresh profile with a passkey authenticator, in the Chromium of the run if it has one. */
export async function openBrowser(executablePath: string): Promise<Browser> {
  const shared = inject('chromium')
  const browser = shared
    ? await chromium.connect(shared, { timeout })
    : await chromium.launch(chromiumOptions(executablePath))
  const context = await browser.newContext({
    viewport: { width: 1180, height: 860 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  context.setDefaultTimeout(timeout)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) complaints.push(message.text())
  })
  const stopKeeping = await keepEvidence(context, page)
  return {
    context,
    page,
    complaints,
    authenticator: await addVirtualAuthenticator(await context.newCDPSession(page)),
    async [Symbol.asyncDispose]() {
      stopKeeping()
      await context.close()
      await browser.close() // leaves a shared one open
    },
  }
}

/** What a failed test shows of a browser: its pages as they are then, what they said, and a trace of every action. */
async function keepEvidence(context: BrowserContext, page: Page): Promise<() => void> {
  const said = keepText('browser.log')
  context.on('console', (message) => said.add(`${message.type()} ${message.text()}\n`))
  context.on('weberror', (error) => said.add(`uncaught ${error.error().stack ?? error.error()}\n`))
  context.on('requestfailed', (request) =>
    said.add(`failed ${request.method()} ${request.url()}: ${request.failure()?.errorText}\n`),
  )
  // A snapshot of the page at each action costs processor time in every run, so only a repeated file has them.
  await context.tracing.start({ snapshots: process.env.TEST_REPEATED !== undefined })
  const sources = [
    keepSource('page.png', () => page.screenshot({ fullPage: true, timeout: 20_000 })),
    keepSource('page.html', () => page.content()),
    keepSource('trace.zip', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'lanyard-trace-'))
      await context.tracing.stop({ path: join(folder, 'trace.zip') })
      const trace = await readFile(join(folder, 'trace.zip'))
      await rm(folder, { recursive: true })
      return trace
    }),
  ]
  return () => {
    said.end()
    for (const end of sources) end()
  }
}
