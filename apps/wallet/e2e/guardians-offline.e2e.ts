/** @module-tag all */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { recoveryTypedData } from '@lanyard/accounts'
import {
  type Devnet,
  devAccounts,
  localTransport,
  ownershipAddress,
  startDevnet,
  writeNetworksFile,
} from '@lanyard/devnet'
import { safeAbi } from '@lanyard/onchain'
import { buildIfStale } from '@lanyard/recovery/scripts/build-if-stale.ts'
import { randomPrivateKey } from '@lanyard/testing'
import { type Address, createTestClient, publicActions } from 'viem'
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { findBarriers } from './accessibility.ts'
import { findChromium, withoutChromium } from './find-chromium.ts'
import { type Browser, openBrowser } from './open-browser.ts'
import { type RunningService, startService } from './start-service.ts'
import { withoutAutofill } from './without-autofill.ts'

const recoveryPage = fileURLToPath(import.meta.resolve('@lanyard/recovery/dist/recovery.html'))
const chromium = findChromium()
if (!chromium) process.stderr.write(`${withoutChromium}\n`)

const delay = 3 * 86_400
const names = ['Local 1', 'Local 2', 'Local 3']

describe.skipIf(!chromium)('guardians on a network that comes later, and without the service', () => {
  const guardian = privateKeyToAccount(randomPrivateKey())
  const newOwner = privateKeyToAddress(randomPrivateKey())
  const payer = devAccounts[4]?.privateKey ?? '0x'
  let directory: string
  let devnet: Devnet
  let service: RunningService
  let browser: Browser
  let account: Address
  const page = () => browser.page
  const path = (name: string) => join(directory, name)

  /** Each process has another port. The passkeys belong to localhost. */
  const start = (networks: string) =>
    startService({
      ...{ NETWORKS_FILE: path(networks), DATA_DIR: path('data'), ACCOUNT_MODULES: 'ownership' },
    })

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lanyard-guardians-'))
    const [started] = await Promise.all([startDevnet(), buildIfStale()])
    devnet = started
    await writeNetworksFile(path('two.json'), devnet.networks.slice(0, 2))
    await writeNetworksFile(path('three.json'), devnet.networks)
    service = await start('two.json')
    browser = await openBrowser(chromium ?? '')
  })
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await service?.[Symbol.asyncDispose]()
    await devnet?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  let broken = false
  const artifact = (name: string) => fileURLToPath(new URL(`../artifacts/${name}.png`, import.meta.url))
  const chapter = (name: string, tell: () => Promise<void>) =>
    test(name, async ({ skip }) => {
      skip(broken, 'An earlier chapter failed.')
      onTestFailed(() => {
        broken = true
      })
      await tell()
    })
  const go = (place: string) =>
    page()
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: place, exact: true })
      .first()
      .click()
  const chains = () =>
    devnet.networks.map(({ rpcUrl }) =>
      createTestClient({ mode: 'anvil', transport: localTransport(rpcUrl), cacheTime: 0 }).extend(
        publicActions,
      ),
    )
  const ownersOn = () =>
    Promise.all(
      chains().map((chain) =>
        chain.readContract({ address: account, abi: safeAbi, functionName: 'getOwners' }),
      ),
    )
  const signIn = async () => {
    await withoutAutofill(page(), () => page().getByRole('tab', { name: 'Sign in' }).click())
    await page().getByRole('button', { name: 'Sign in with a passkey' }).click()
  }

  chapter('an owner names a guardian on the two networks that there are', async () => {
    await page().goto(service.url)
    await page().getByLabel('Username', { exact: true }).fill('rosa')
    await page().getByText('Available', { exact: true }).waitFor()
    await page().getByRole('button', { name: 'Create with a passkey' }).click()
    await page()
      .getByRole('heading', { name: /^You have/ })
      .waitFor()
    await go('Protection')
    await page().getByLabel('Guardian', { exact: true }).fill(guardian.address)
    await page().getByRole('button', { name: 'Add guardian' }).click()
    await page().getByRole('button', { name: 'Add it anyway' }).click()
    await page().getByRole('list', { name: 'Chosen guardians' }).getByText(guardian.address).waitFor()
    await page().getByLabel('I want one guardian to be enough.').check()
    await page().getByRole('button', { name: 'Sign with passkey' }).click()
    await page().getByText('In force on Local 1 and Local 2.').waitFor()
  })

  chapter('a network that is added later has the guardian, without another signature', async () => {
    await service[Symbol.asyncDispose]()
    service = await start('three.json')
    await browser.authenticator.setUserVerified(true)
    await page().goto(service.url)
    await signIn()
    await page()
      .getByRole('heading', { name: /^You have/ })
      .waitFor()
    // From here on no passkey answers: the signature of the first chapter is enough.
    await browser.authenticator.setUserVerified(false)
    await go('Protection')
    await page().getByText('In force on Local 1, Local 2, and Local 3.').waitFor()
    await page().screenshot({ path: artifact('guardians-added-network'), fullPage: true })
    await browser.authenticator.setUserVerified(true)
    await go('Protection')
    const [download] = await Promise.all([
      page().waitForEvent('download'),
      page().getByRole('button', { name: 'Download the kit' }).click(),
    ])
    await download.saveAs(path('kit.json'))
    account = JSON.parse(await readFile(path('kit.json'), 'utf8')).walletAddress
  })

  /** Opens the recovery page with the kit and what the guardian signed. */
  async function openPage() {
    const newOwners = [{ kind: 'eoa', address: newOwner }] as const
    const context = { module: ownershipAddress, account, sequence: 1n, number: 1n }
    const recovery = {
      ...{ sequence: '1', number: '1', newOwners: [{ address: newOwner }] },
      guardians: { members: [guardian.address], threshold: 1, delay },
      signatures: [
        {
          guardian: guardian.address,
          signature: await guardian.signTypedData(recoveryTypedData(newOwners, context)),
        },
      ],
    }
    await page().goto(pathToFileURL(recoveryPage).href)
    await page().getByLabel('Recovery kit (a file)').setInputFiles(path('kit.json'))
    await page().getByText('The address matches the content of the kit.').waitFor()
    await page().getByLabel('Get this account back with my guardians').check()
    await page().getByLabel('A private key or twelve words pay').check()
    await page().getByLabel('Private key or twelve words of the sender').fill(payer)
    await page().getByLabel('What your guardians or you signed').fill(JSON.stringify(recovery))
  }
  const press = (name: string) => page().getByRole('button', { name }).click()

  chapter('without the service, the page starts the recovery on three networks', async () => {
    await service[Symbol.asyncDispose]()
    await expect(fetch(service.url)).rejects.toThrow()
    await openPage()
    for (const name of names) {
      await press(`Check the owners on ${name}`)
      await press(`Start the recovery on ${name}`)
      await press(`Yes, start it on ${name}`)
      await page().getByText(`Started on ${name}.`).waitFor()
    }
    await page().getByText('0 of 3 networks need nothing more').waitFor() // each waits for its delay
    expect(await findBarriers(page())).toEqual([])
  })

  chapter('after the delay, the page executes it on three networks', async () => {
    for (const chain of chains()) {
      await chain.increaseTime({ seconds: delay })
      await chain.mine({ blocks: 1 })
    }
    await openPage()
    await press('Check all networks')
    for (const name of names) {
      await press(`Execute the recovery on ${name}`)
      await press(`Yes, execute it on ${name}`)
      await page().getByText(`Executed on ${name}.`).waitFor()
    }
    await page().getByText('3 of 3 networks need nothing more').waitFor()
    await page().screenshot({ path: artifact('recovery-offline'), fullPage: true })
    expect(await ownersOn()).toEqual([[newOwner], [newOwner], [newOwner]])
  })

  chapter(
    'the service finds it in the logs when it is back, and the lost passkey signs in no more',
    async () => {
      service = await start('three.json')
      const read = async () =>
        (await fetch(`${service.url}/smart-account/recovery?account=rosa`)).json() as Promise<{
          recoveries: { newOwners: object[]; networks: { state: string }[] }[]
        }>
      await expect
        .poll(async () => (await read()).recoveries[0]?.networks.map(({ state }) => state))
        .toEqual(['executed', 'executed', 'executed'])
      expect((await read()).recoveries).toMatchObject([{ newOwners: [{ address: newOwner }] }])
      await page().goto(service.url)
      await signIn()
      await page().getByRole('alert').first().waitFor()
      expect(
        await page()
          .getByRole('heading', { name: /^You have/ })
          .count(),
      ).toBe(0)
    },
  )

  test('behavior: no violations of the content security policy, and no uncaught errors', () => {
    expect(browser.complaints).toEqual([])
  })
})
