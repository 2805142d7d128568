import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { chromium, type Locator, type Page } from 'playwright-core'

/** A person at a browser with a passkey. Counts what they do. */
export interface Person extends AsyncDisposable {
  readonly page: Page
  /** Presses a button or a link. */
  press(name: string | RegExp): Promise<void>
  /** Fills a field. */
  fill(label: string, text: string): Promise<void>
  done(): { readonly presses: number; readonly fields: number }
}

function findChromium(): string {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  const all = names.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)))
  const found = [...(CHROMIUM_PATH ? [CHROMIUM_PATH] : []), ...all].find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
  if (!found) throw new Error('No Chromium here. Install it, or set CHROMIUM_PATH.')
  return found
}

/** Opens a browser with a fresh profile, and an authenticator that approves everything. */
export async function openPerson(): Promise<Person> {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const context = await browser.newContext()
  context.setDefaultTimeout(180_000)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  let [presses, fields] = [0, 0]
  const target = (name: string | RegExp): Locator => {
    const options = { name, ...(typeof name === 'string' && { exact: true }) }
    return page.getByRole('button', options).or(page.getByRole('link', options)).first()
  }
  return {
    page,
    async press(name) {
      await target(name).click()
      presses++
    },
    async fill(label, text) {
      await page.getByLabel(label, { exact: true }).fill(text)
      fields++
    },
    done: () => ({ presses, fields }),
    [Symbol.asyncDispose]: () => browser.close(),
  }
}
