import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
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

/** A Chromium with a fresh profile and a passkey authenticator. */
export async function openBrowser(executablePath: string): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'lanyard-wallet-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    timeout,
    viewport: { width: 1180, height: 860 },
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
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
  context.setDefaultTimeout(timeout)
  const page = context.pages()[0] ?? (await context.newPage())
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) complaints.push(message.text())
  })
  return {
    context,
    page,
    complaints,
    authenticator: await addVirtualAuthenticator(await context.newCDPSession(page)),
    async [Symbol.asyncDispose]() {
      await context.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}
