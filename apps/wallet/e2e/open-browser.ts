import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'

export interface Browser extends AsyncDisposable {
  readonly context: BrowserContext
  readonly page: Page
  readonly authenticator: VirtualAuthenticator
  /** What the page complained about: uncaught errors, and whatever the content security policy refused. */
  readonly complaints: readonly string[]
}

/** The platform authenticator of the browser, under the test's control. */
export interface VirtualAuthenticator {
  /** False: the next ceremonies end as they do when a person closes the prompt. */
  setUserVerified(verified: boolean): Promise<void>
  /** Takes the device away: a new one, without any passkey, is in its place. */
  replace(): Promise<void>
}

/** A Chromium with a fresh profile and a passkey authenticator. */
export async function openBrowser(executablePath: string): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'lanyard-wallet-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
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
    authenticator: await addAuthenticator(await context.newCDPSession(page)),
    async [Symbol.asyncDispose]() {
      await context.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}

async function addAuthenticator(session: CDPSession): Promise<VirtualAuthenticator> {
  await session.send('WebAuthn.enable')
  const add = async () => {
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return authenticatorId
  }
  let authenticatorId = await add()
  return {
    setUserVerified: async (isUserVerified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    replace: async () => {
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      authenticatorId = await add()
    },
  }
}
