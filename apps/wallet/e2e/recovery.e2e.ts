/** @module-tag all */
// @promise 21
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Devnet, devAccounts, localTransport, startDevnet, writeNetworksFile } from '@lanyard/devnet'
import { buildIfStale } from '@lanyard/recovery/scripts/build-if-stale.ts'
import { exitDelay } from '@lanyard/smart-balance'
import { randomPrivateKey } from '@lanyard/testing'
import { type Address, createTestClient, erc20Abi, publicActions } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { findBarriers } from './accessibility.ts'
import { findChromium, withoutChromium } from './find-chromium.ts'
import { type Browser, openBrowser } from './open-browser.ts'
import { readDownload } from './read-download.ts'
import { serveFile } from './serve-file.ts'
import { type RunningService, startService } from './start-service.ts'

const recoveryPage = fileURLToPath(import.meta.resolve('@lanyard/recovery/dist/recovery.html'))
const chromium = findChromium()
if (!chromium) process.stderr.write(`${withoutChromium}\n`)

describe.skipIf(!chromium)('recovery with a passkey, without the service', () => {
  const to = privateKeyToAddress(randomPrivateKey())
  const payer = devAccounts[4]?.privateKey ?? '0x'
  let directory: string
  let devnet: Devnet
  let service: RunningService
  let browser: Browser
  let kit: string
  let saved: string
  const page = () => browser.page

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lanyard-recovery-'))
    const networks = join(directory, 'networks.json')
    saved = join(directory, 'saved.html')
    const [started] = await Promise.all([startDevnet(), buildIfStale()])
    devnet = started
    await writeNetworksFile(networks, devnet.networks)
    service = await startService({ NETWORKS_FILE: networks })
    browser = await openBrowser(chromium ?? '')
  })
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await service?.[Symbol.asyncDispose]()
    await devnet?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  let broken = false
  const chapter = (name: string, tell: () => Promise<void>) =>
    test(name, async ({ skip }) => {
      skip(broken, 'An earlier chapter failed.')
      onTestFailed(() => {
        broken = true
      })
      await tell()
    })
  const artifact = (name: string) => fileURLToPath(new URL(`../artifacts/${name}.png`, import.meta.url))
  const chains = () =>
    devnet.networks.map((network) => ({
      network,
      chain: createTestClient({
        mode: 'anvil',
        transport: localTransport(network.rpcUrl),
        cacheTime: 0,
      }).extend(publicActions),
    }))
  const tokensOf = (account: Address) =>
    Promise.all(
      chains().map(({ network, chain }) =>
        chain.readContract({
          address: network.settlementToken.address,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [account],
        }),
      ),
    )
  const nativeOf = (account: Address) =>
    Promise.all(chains().map(({ chain }) => chain.getBalance({ address: account })))

  chapter(
    'creates an account with a deposit, and with funds where it is deployed and where it is not',
    async () => {
      await page().goto(service.url)
      await page().getByLabel('Username', { exact: true }).fill('erin')
      await page().getByText('Available', { exact: true }).waitFor()
      await page().getByRole('button', { name: 'Create with a passkey' }).click()
      for (const name of ['Local 1', 'Local 2']) {
        await page()
          .getByRole('button', { name: `Get test money on ${name}` })
          .click()
        await page().getByText(`Test money arrived on ${name}.`).waitFor({ state: 'attached' })
      }
      await page().getByRole('link', { name: 'Deposit from Local 1' }).click()
      await page().getByText('100 USDC in your account on Local 1').waitFor()
      await page().getByLabel('Amount', { exact: true }).fill('70')
      await page().getByRole('button', { name: 'Review' }).click()
      await page().getByRole('button', { name: 'Sign with passkey' }).click()
      await page().getByText('Deposited 70 USDC into the combined balance on Local 1.').waitFor()

      await page()
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name: 'Protection' })
        .first()
        .click()
      const [download] = await Promise.all([
        page().waitForEvent('download'),
        page().getByRole('button', { name: 'Download the kit' }).click(),
      ])
      kit = join(directory, 'kit.json')
      await download.saveAs(kit)
      // What the page offers to save is the file whose hash is published, and the page has no field for a key.
      await page().goto(`${service.url}/recovery`)
      await expectNoKeyField()
      const [file] = await Promise.all([
        page().waitForEvent('download'),
        page().getByRole('link', { name: 'Save this page beside your recovery kit' }).click(),
      ])
      await file.saveAs(saved)
      const [hash] = await Promise.all([
        page().waitForEvent('download'),
        page().getByRole('link', { name: 'Save its SHA-256' }).click(),
      ])
      const digest = createHash('sha256')
        .update(await readFile(saved))
        .digest('hex')
      expect(await readDownload(hash)).toBe(`${digest}  recovery.html\n`)
    },
  )

  chapter('stops the service', async () => {
    await service[Symbol.asyncDispose]()
    await expect(fetch(service.url)).rejects.toThrow()
  })

  /** A page that a website shows. */
  const expectNoKeyField = async () => {
    await page().getByText('A website shows this page, so it takes no words and no private key.').waitFor()
    expect(await page().locator('input[type=password], [value=key], [value=carrier]').count()).toBe(0)
    expect(
      await page()
        .getByText(/private key pay|twelve words pay/i)
        .count(),
    ).toBe(0)
  }
  const openKit = async () => {
    await page().getByLabel('Recovery kit (a file)').setInputFiles(kit)
    await page().getByText('The address matches the content of the kit.').waitFor()
  }
  /** Enters the payer, which the file alone takes. */
  const payByKey = async () => {
    await page().getByLabel('A private key or twelve words pay').check()
    await page().getByLabel('Private key or twelve words of the sender').fill(payer)
  }
  /** Opens the kit on a website, and enters the destination. */
  const begin = async () => {
    await openKit()
    await page().getByLabel('Address that gets everything').fill(to)
    if (page().url().startsWith('file:')) await payByKey()
    else await page().getByLabel('Only sign here').check()
  }
  /** Takes what was signed to the saved file, which sends it. */
  const sendFromFile = async (names: readonly string[]) => {
    const text = await page().getByLabel('What you signed: no secret').inputValue()
    await page().goto(pathToFileURL(saved).href)
    await openKit()
    await page().getByLabel('Send what I signed on a website').check()
    await page().getByLabel('What the website gave you').fill(text)
    await payByKey()
    for (const name of names) {
      await page()
        .getByRole('button', { name: `Send it on ${name}` })
        .click()
      await page().getByText(`Done on ${name}.`).waitFor()
    }
  }
  const sign = async (name: string) => {
    await page()
      .getByRole('button', { name: `Check ${name}` })
      .click()
    await page()
      .getByRole('button', { name: `Sign and move on ${name}` })
      .click()
    await page()
      .getByRole('button', { name: `Yes, move it on ${name}` })
      .click()
    await page().getByText(`Signed for ${name}. Nothing was sent`).waitFor()
  }

  chapter('explains that no passkey works on a saved page', async () => {
    await page().goto(pathToFileURL(saved).href)
    expect(await page().getByText('A website shows this page').count()).toBe(0)
    // A pasted kit opens at once, and an empty destination is asked for in words.
    await page().getByText('Or paste its text').click()
    await page()
      .getByLabel('Text of the recovery kit')
      .fill(await readFile(kit, 'utf8'))
    await page().getByText('The address matches the content of the kit.').waitFor()
    await page().getByRole('button', { name: 'Check Local 2' }).click()
    await page().getByText('Enter the address that gets everything in step 2.').waitFor()
    await begin()
    await page().getByLabel('A passkey of the kit').check()
    await page().getByText('The account’s passkeys work on localhost only').waitFor()
    await page().getByText('a file on this computer').waitFor()
    // Steps that need no passkey work there: the page reads the holdings.
    await page().getByRole('button', { name: 'Check Local 2' }).click()
    await page().getByText('100 USDC').waitFor()
    // Changing the destination discards the result shown for the old one.
    const button = page().getByRole('button', { name: 'Sign and move on Local 2' })
    await expect.poll(() => button.isVisible()).toBe(true)
    await page()
      .getByLabel('Address that gets everything')
      .fill(devAccounts[5]?.address ?? '')
    await expect.poll(() => button.isVisible()).toBe(false)
    await page().getByText('Something has changed: check again.').waitFor()
  })

  chapter('signs on any host of the same domain, and moves everything from the saved file', async () => {
    await using host = await serveFile(recoveryPage)
    await page().goto(host.url)
    await expectNoKeyField()
    await begin()
    expect(await page().getByText('passkeys work on').isVisible()).toBe(false)
    await page().getByRole('button', { name: 'Check Local 1' }).click()
    await page().getByText('requests the withdrawal of 70 of the combined balance').waitFor()
    await page().screenshot({ path: artifact('recovery'), fullPage: true })
    expect(await findBarriers(page())).toEqual([])
    await browser.authenticator.setUserVerified(false)
    await page().getByRole('button', { name: 'Sign and move on Local 1' }).click()
    // The last question names the whole address.
    await page().getByRole('alert').filter({ hasText: to }).waitFor()
    expect(await findBarriers(page())).toEqual([])
    await page().getByRole('button', { name: 'Yes, move it on Local 1' }).click()
    await page().getByText('No passkey signed.').waitFor()
    await browser.authenticator.setUserVerified(true)
    await sign('Local 1')
    await page().getByRole('button', { name: 'Check Local 2' }).click()
    await page().getByText('The account is not deployed here yet').waitFor()
    await sign('Local 2')
    await page().screenshot({ path: artifact('recovery-signed'), fullPage: true })
    expect(await findBarriers(page())).toEqual([])
    await page().getByRole('button', { name: 'Check Local 3' }).click()
    await page().getByText('There is nothing to move now.').waitFor()
    const asked: string[] = []
    page().on('request', (request) => asked.push(new URL(request.url()).origin))
    await sendFromFile(['Local 1', 'Local 2'])
    await page().screenshot({ path: artifact('recovery-done'), fullPage: true })
    const rpcs = devnet.networks.map(({ rpcUrl }) => new URL(rpcUrl).origin)
    expect(asked.filter((origin) => origin !== 'null' && !rpcs.includes(origin))).toEqual([])
    const scale = 10n ** 6n
    expect(await tokensOf(to)).toEqual([30n * scale, 100n * scale, 0n])
    await page().getByText('2 of 3 networks need nothing more').waitFor()
    // The deposit on the first network waits for its withdrawal.
    await page().getByLabel('Move everything to an address of mine').check()
    await page().getByLabel('Address that gets everything').fill(to)
    await page().getByRole('button', { name: 'Check all networks' }).click()
    await page().getByText('2 of 3 networks need nothing more').waitFor()
  })

  chapter('withdraws the deposit a week later', async () => {
    for (const { chain } of chains()) {
      await chain.increaseTime({ seconds: exitDelay })
      await chain.mine({ blocks: 1 })
    }
    await using host = await serveFile(recoveryPage)
    await page().goto(host.url)
    await begin()
    await sign('Local 1')
    await sendFromFile(['Local 1'])
    const { walletAddress } = JSON.parse(await readFile(kit, 'utf8'))
    expect(await tokensOf(to)).toEqual([100_000_000n, 100_000_000n, 0n])
    expect([await tokensOf(walletAddress), await nativeOf(walletAddress)]).toEqual([
      [0n, 0n, 0n],
      [0n, 0n, 0n],
    ])
  })

  test('behavior: no violations of the content security policy, and no uncaught errors', () => {
    expect(browser.complaints).toEqual([])
  })
})
