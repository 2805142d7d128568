/** @module-tag all */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { delegatedDeployment, encodeDesignator, verifyAuthorization } from '@lanyard/accounts'
import { type Devnet, devAccounts, localTransport, startDevnet } from '@lanyard/devnet'
import { devTokenAbi } from '@lanyard/onchain'
import { buildKeyPage } from '@lanyard/recovery/scripts/build.ts'
import { randomPrivateKey } from '@lanyard/testing'
import { createTestClient, erc20Abi, parseEther, publicActions, walletActions } from 'viem'
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBarriers } from './accessibility.ts'
import { findChromium, withoutChromium } from './find-chromium.ts'
import { type Browser, openBrowser } from './open-browser.ts'
import { overflowOf } from './overflow-of.ts'
import { serveFile } from './serve-file.ts'

const chromium = findChromium()
if (!chromium) process.stderr.write(`${withoutChromium}\n`)

describe.skipIf(!chromium)('the page that takes an exported key', () => {
  const key = randomPrivateKey()
  const eoa = privateKeyToAccount(key)
  const metaMask = '0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B'
  let directory: string
  let file: string
  let devnet: Devnet
  let browser: Browser
  const page = () => browser.page

  const chains = () =>
    devnet.networks.map((network) => ({
      network,
      chain: createTestClient({ mode: 'anvil', transport: localTransport(network.rpcUrl), cacheTime: 0 })
        .extend(publicActions)
        .extend(walletActions),
    }))

  const first = () => {
    const [chain] = chains()
    if (!chain) throw new TypeError('The devnet has a network')
    return chain
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lanyard-key-'))
    devnet = await startDevnet()
    const networks = devnet.networks.map(({ chainId, name, rpcUrl, settlementToken }) => ({
      ...{ chainId, name, rpcUrls: [rpcUrl], tokens: [settlementToken.address] },
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    }))
    await writeFile(join(directory, 'networks.json'), JSON.stringify(networks))
    file = join(directory, 'lanyard-key.html')
    await buildKeyPage(join(directory, 'networks.json'), file)
    browser = await openBrowser(chromium ?? '')
    await first().chain.setBalance({ address: eoa.address, value: parseEther('1') })
    await first().chain.setCode({ address: eoa.address, bytecode: encodeDesignator(metaMask) })
  })
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await devnet?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  test('default: the key signs the delegation, which the page sends where there are coins', async () => {
    const requested: string[] = []
    page().on('request', (request) => requested.push(new URL(request.url()).origin))
    await page().goto(pathToFileURL(file).href)
    await page().getByLabel('Private key, or 12 or 24 words').fill('0x1234')
    await page().getByText('This is no key').waitFor()
    await page().getByLabel('Private key, or 12 or 24 words').fill(key.slice(2))
    await page().getByText(eoa.address).waitFor()
    const { network, chain } = first()

    await page()
      .getByRole('button', { name: `Check ${network.name}` })
      .click()
    await page().getByText('It runs the contract of MetaMask now').waitFor()
    await page()
      .getByRole('button', { name: `Sign and send on ${network.name}` })
      .click()
    await page()
      .getByRole('button', { name: `Yes, send it on ${network.name}` })
      .click()
    await page().getByText(`Done on ${network.name}.`).waitFor()
    expect(await chain.getCode({ address: eoa.address })).toBe(encodeDesignator(delegatedDeployment.delegate))

    // Without coins it is only signed, for the wallet to send.
    const [, other] = chains()
    const otherName = other?.network.name ?? ''
    await page()
      .getByRole('button', { name: `Check ${otherName}` })
      .click()
    await page().getByText('It has no coins for a fee').waitFor()
    await page()
      .getByRole('button', { name: `Only sign for ${otherName}` })
      .click()
    await page()
      .getByRole('button', { name: `Yes, sign for ${otherName}` })
      .click()
    const signed = await page().getByLabel(`Signed delegation for ${otherName}: no secret`).inputValue()
    const chainId = other?.network.chainId ?? 0
    expect(await verifyAuthorization(JSON.parse(signed), { eoa: eoa.address, chainId })).toEqual({ ok: true })

    expect(await findBarriers(page())).toEqual([])
    for (const width of [360, 1440]) {
      await page().setViewportSize({ width, height: 900 })
      expect(await overflowOf(page())).toBe(0)
      const path = fileURLToPath(new URL(`../artifacts/exported-key-${width}.png`, import.meta.url))
      await page().screenshot({ path, fullPage: true })
    }
    // The key is in the password field only, and requests go to the named networks only.
    expect(await page().content()).not.toContain(key.slice(2))
    expect(
      await page().evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]),
    ).toEqual([0, 0, ''])
    const permitted = devnet.networks.map(({ rpcUrl }) => new URL(rpcUrl).origin)
    expect(requested.filter((origin) => origin !== 'null' && !permitted.includes(origin))).toEqual([])
    expect(browser.complaints).toEqual([])
  })

  test('behavior: the policy lets it connect to nothing else', async () => {
    const blocked = await page().evaluate(() => fetch('http://127.0.0.1:9/').then(String, String))
    expect(blocked).toContain('Failed to fetch')
    expect(browser.complaints.join()).toContain('connect-src')
  })

  test('behavior: it moves tokens and coins to a new account', async () => {
    const { network, chain } = first()
    const token = { address: network.settlementToken.address, abi: erc20Abi } as const
    const minter = privateKeyToAccount(devAccounts[7]?.privateKey ?? key)
    const mint = { account: minter, chain: null, address: token.address, abi: devTokenAbi } as const
    const hash = await chain.writeContract({ ...mint, functionName: 'mint', args: [eoa.address, 7n] })
    await chain.waitForTransactionReceipt({ hash })
    const to = privateKeyToAddress(randomPrivateKey())
    await page().goto(pathToFileURL(file).href)
    await page().getByLabel('Private key, or 12 or 24 words').fill(key)
    await page().getByText('Move everything to a new account of mine').click()
    const look = page().getByRole('button', { name: `Check ${network.name}` })
    await look.click()
    await page().getByText('Enter the address that gets everything').waitFor()
    await page().getByLabel('Address that gets everything').fill(eoa.address)
    await look.click()
    await page().getByText('This is the address of the key itself').waitFor()
    await page().getByLabel('Address that gets everything').fill(to)
    await look.click()
    await page().getByText('Will be moved:').waitFor()
    await page()
      .getByRole('button', { name: `Sign and move on ${network.name}` })
      .click()
    await page()
      .getByRole('button', { name: `Yes, move it on ${network.name}` })
      .click()
    await page().getByText(`Done on ${network.name}.`).waitFor()
    expect(await chain.getBalance({ address: to })).toBeGreaterThan(parseEther('0.99'))
    expect(await chain.readContract({ ...token, functionName: 'balanceOf', args: [to] })).toBe(7n)
  })

  test('error: a website that shows the page gets no key', async () => {
    await using site = await serveFile(file)
    await page().goto(site.url)
    await page().getByText('A website shows this page. Do not enter a key.').waitFor()
    expect(await page().getByLabel('Private key, or 12 or 24 words').isVisible()).toBe(false)
  })

  test('behavior: the published hash is that of the file', async () => {
    const bytes = await readFile(file)
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
    expect(await readFile(`${file}.sha256`, 'utf8')).toBe(`${digest}  lanyard-key.html\n`)
  })
})
