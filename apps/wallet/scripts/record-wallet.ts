/**
 * Records what the README shows: a new account with a passkey, test money, and a payment, in a real wallet at a real service.
 * `pnpm --filter @lanyard/wallet record` writes `docs/pictures/wallet-first-payment-{light,dark}.webp`. It needs Chromium, and
 * img2webp of Debian's package webp.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromium, type Locator } from 'playwright-core'
import { findChromium, withoutChromium } from '../e2e/find-chromium.ts'
import { startService } from '../e2e/start-service.ts'
import { addVirtualAuthenticator } from '../e2e/virtual-authenticator.ts'

const pictures = fileURLToPath(new URL('../../../docs/pictures', import.meta.url))

/** A page shows one of the two. */
const maxBytes = 500_000

/** Anvil's second account. */
const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const executablePath = findChromium()
if (!executablePath) throw new Error(withoutChromium)

const folder = await mkdtemp(join(tmpdir(), 'lanyard-record-'))
await using cleanUp = new AsyncDisposableStack()
cleanUp.defer(() => rm(folder, { recursive: true, force: true }))
const service = cleanUp.use(await startService())
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
cleanUp.defer(() => browser.close())
/** Each recording has an account of its own. */
async function record(theme: 'light' | 'dark', user: string): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 960, height: 700 },
    colorScheme: theme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await addVirtualAuthenticator(await context.newCDPSession(page))

  const frames: string[] = []
  /** @param duration - milliseconds that the frame is shown */
  async function frame(duration: number): Promise<void> {
    const path = join(folder, `${theme}-${String(frames.length / 3).padStart(2, '0')}.png`)
    await page.screenshot({ path, caret: 'initial' })
    frames.push('-d', String(duration), path)
  }

  /** Types as a person does: some letters, then the next. */
  async function type(field: Locator, text: string, step: number): Promise<void> {
    for (let end = step; end < text.length + step; end += step) {
      await field.fill(text.slice(0, end))
      await frame(110)
    }
  }

  /** Shows where the press is, before it happens. */
  async function press(target: Locator): Promise<void> {
    await target.hover()
    await frame(450)
    await target.click()
  }

  const button = (name: string) => page.getByRole('button', { name, exact: true })

  await page.goto(service.url)
  const username = page.getByLabel('Username', { exact: true })
  await username.waitFor()
  await frame(1_200)
  await type(username, user, 1)
  await page.getByText('Available', { exact: true }).waitFor()
  await frame(500)
  await press(button('Create with a passkey'))
  await page.getByRole('heading', { name: /^You have/ }).waitFor()
  await frame(1_500)
  await press(button('Get test money on Local 1'))
  await page.getByText('100.00').first().waitFor()
  await frame(1_600)
  await press(
    page.getByRole('region', { name: 'Total balance' }).getByRole('link', { name: 'Send', exact: true }),
  )
  await page.getByLabel('To', { exact: true }).waitFor()
  await frame(600)
  await type(page.getByLabel('To', { exact: true }), recipient, 14)
  await type(page.getByLabel('Amount', { exact: true }), '0.25', 1)
  await press(button('Review'))
  await page.getByText('Recomputed on this device').waitFor()
  await frame(2_200)
  await press(button('Sign with passkey'))
  await page.getByRole('heading', { name: 'Done' }).waitFor()
  await frame(3_000)

  await context.close()
  const target = join(pictures, `wallet-first-payment-${theme}.webp`)
  const settings = ['-loop', '0', '-lossy', '-q', '88', '-m', '6', '-kmax', '5']
  await promisify(execFile)('img2webp', [...settings, ...frames, '-o', target])
  const { size } = await stat(target)
  process.stdout.write(`${target}: ${frames.length / 3} frames, ${size} bytes\n`)
  if (size > maxBytes) throw new Error(`The picture may have at most ${maxBytes} bytes.`)
}

await record('light', 'alice')
await record('dark', 'maria')
