/** @module-tag all */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultDeployment, delegatedDeployment, encodeDesignator } from '@lanyard/accounts'
import {
  type Devnet,
  localTransport,
  settlementTokenAddress,
  startDevnet,
  writeNetworksFile,
} from '@lanyard/devnet'
import { safeAbi, safeProxyFactoryAbi } from '@lanyard/onchain'
import { randomPrivateKey } from '@lanyard/testing'
import {
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  hexToNumber,
  numberToHex,
  parseEther,
  publicActions,
  walletActions,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findBarriers } from './accessibility.ts'
import { findChromium, withoutChromium } from './find-chromium.ts'
import { type Browser, openBrowser } from './open-browser.ts'
import { overflowOf } from './overflow-of.ts'
import { type RunningService, startService } from './start-service.ts'

const chromium = findChromium()
if (!chromium) process.stderr.write(`${withoutChromium}\n`)

interface Asked {
  readonly method: string
  readonly params: readonly unknown[]
}

describe.skipIf(!chromium)('an EOA in a wallet of its own', () => {
  const key = privateKeyToAccount(randomPrivateKey())
  let directory: string
  let devnet: Devnet
  let service: RunningService
  let browser: Browser
  /** Whether the wallet signs authorisations, as wallet SDKs do and wallets of browsers do not. */
  let signsAuthorizations = false
  /** Whether its network shows nothing where the service sees a Safe. */
  let lies = false
  let switches = true
  /** Where the wallet is. Undefined: on the first network. */
  let current: Devnet['networks'][number] | undefined
  const page = () => browser.page
  /** Takes pictures of a screen on a dark phone and on a desktop. */
  async function picture(name: string): Promise<void> {
    const usual = page().viewportSize()
    for (const [width, colorScheme] of [
      [360, 'dark'],
      [1440, 'light'],
    ] as const) {
      await page().setViewportSize({ width, height: 900 })
      await page().emulateMedia({ colorScheme })
      expect(await overflowOf(page())).toBe(0)
      const path = fileURLToPath(new URL(`../artifacts/${name}-${width}.png`, import.meta.url))
      await page().screenshot({ path, fullPage: true })
    }
    await page().emulateMedia({ colorScheme: 'light' })
    if (usual) await page().setViewportSize(usual)
  }
  const first = () => {
    const [network] = devnet.networks
    if (!network) throw new TypeError('The devnet has a network')
    const chain = createTestClient({ mode: 'anvil', transport: localTransport(network.rpcUrl), cacheTime: 0 })
    return { network, chain: chain.extend(publicActions).extend(walletActions) }
  }

  /** A wallet: its key is here, outside of the page. */
  async function answer({ method, params }: Asked): Promise<unknown> {
    const [one, two] = params
    if (method === 'eth_requestAccounts') return [key.address]
    if (method === 'wallet_switchEthereumChain') {
      const chainId = hexToNumber((one as { chainId: `0x${string}` }).chainId)
      if (switches) current = devnet.networks.find((network) => network.chainId === chainId) ?? current
      return null
    }
    if (method === 'eth_chainId') return numberToHex(current?.chainId ?? first().network.chainId)
    if (method === 'personal_sign') return key.signMessage({ message: { raw: one as `0x${string}` } })
    if (method === 'eth_signTypedData_v4') return key.signTypedData(JSON.parse(String(two)))
    if (method === 'wallet_signAuthorization' && signsAuthorizations) {
      const given = one as { address: `0x${string}`; chainId: `0x${string}`; nonce: `0x${string}` }
      const { r, s, yParity } = await key.signAuthorization({
        ...{ address: given.address, chainId: hexToNumber(given.chainId), nonce: hexToNumber(given.nonce) },
      })
      return { r, s, yParity }
    }
    if (/^eth_(getCode|call|getLogs|blockNumber|getStorageAt|getTransactionReceipt)$/.test(method)) {
      if (lies && method === 'eth_getCode') return '0x'
      return localTransport((current ?? first().network).rpcUrl)({}).request({ method, params } as never)
    }
    if (method === 'eth_sendTransaction') {
      const { to, data, value } = one as { to: `0x${string}`; data: `0x${string}`; value: `0x${string}` }
      const { chain } = first()
      return chain.sendTransaction({ account: key, chain: null, to, data, value: BigInt(value) })
    }
    return { refused: 4200 }
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lanyard-import-'))
    devnet = await startDevnet()
    await writeNetworksFile(join(directory, 'networks.json'), devnet.networks)
    service = await startService({ NETWORKS_FILE: join(directory, 'networks.json') })
    browser = await openBrowser(chromium ?? '')
    await first().chain.setBalance({ address: key.address, value: parseEther('2') })
    await page().exposeFunction('askWallet', answer)
    await page().addInitScript(() => {
      const request = async (asked: unknown) => {
        const answered = await (
          window as unknown as { askWallet: (asked: unknown) => Promise<unknown> }
        ).askWallet({
          params: [],
          ...(asked as object),
        })
        const refused = (answered as { refused?: number } | null)?.refused
        if (refused) throw Object.assign(new Error('Unsupported'), { code: refused })
        return answered
      }
      const detail = {
        info: { uuid: 'own', name: 'Own Wallet', icon: '', rdns: 'own' },
        provider: { request },
      }
      addEventListener('eip6963:requestProvider', () =>
        dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })),
      )
    })
  })
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await service?.[Symbol.asyncDispose]()
    await devnet?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  test('default: it signs in, is told what its wallet lacks, and pays under its old address', async () => {
    const { network, chain } = first()
    const to = privateKeyToAddress(randomPrivateKey())
    await page().goto(`${service.url}/import`)
    await page().getByRole('button', { name: 'Sign in with Own Wallet' }).click()
    await page().getByRole('heading', { name: 'Your address' }).waitFor()
    await page().getByText('2 ETH').first().waitFor()
    await page().getByLabel('Network').selectOption({ label: network.name })
    await page().getByLabel('To (address)').fill(to)
    await page().getByLabel('Amount in ETH').fill('0.5')
    const pay = page().getByRole('button', { name: 'Sign in your wallet and pay' })
    await pay.click()
    await page().getByText('Your wallet does not sign delegations for websites.').waitFor()
    expect(await findBarriers(page())).toEqual([])
    await page().setViewportSize({ width: 360, height: 900 })
    expect(await overflowOf(page())).toBe(0)
    const path = (name: string) => fileURLToPath(new URL(`../artifacts/${name}.png`, import.meta.url))
    await page().screenshot({ path: path('import-360'), fullPage: true })
    await page().setViewportSize({ width: 1180, height: 860 })

    signsAuthorizations = true
    await pay.click()
    await page().getByText('Paid from your address.').waitFor()
    expect(await chain.getBalance({ address: to })).toBe(parseEther('0.5'))
    expect(await chain.getCode({ address: key.address })).toBe(encodeDesignator(delegatedDeployment.delegate))
    await page().screenshot({ path: path('import-1180'), fullPage: true })
    expect(browser.complaints).toEqual([])
  })

  test('behavior: an address that runs another contract is told whose, and switches it', async () => {
    const { chain } = first()
    const coinbase = '0x7702cb554e6bFb442cb743A7dF23154544a7176C'
    await chain.setCode({ address: key.address, bytecode: encodeDesignator(coinbase) })
    await page().getByRole('button', { name: 'Sign in your wallet and pay' }).click()
    await page().getByText('Your address runs the contract of Coinbase on this network.').waitFor()
    await page().getByText('ERC-7201').waitFor()
    await page().getByRole('button', { name: 'Switch the contract, and pay' }).click()
    await page().getByText('Paid from your address.').waitFor()
    expect(await chain.getCode({ address: key.address })).toBe(encodeDesignator(delegatedDeployment.delegate))
  })

  test('behavior: it moves what it holds to an account that it owns', async () => {
    const { chain, network } = first()
    await page().getByText('Move everything to another account').click()
    await page().getByRole('button', { name: 'Create an account that this address owns' }).click()
    await expect.poll(() => page().getByLabel('New account (address)').inputValue()).toMatch(/^0x/)
    const to = (await page().getByLabel('New account (address)').inputValue()) as `0x${string}`
    await page().getByRole('button', { name: 'Show the plan' }).click()
    await page().getByText(`ETH · ${network.name}`).waitFor()
    await page().getByRole('button', { name: 'Send it with your wallet' }).click()
    await page().getByText('Everything in the plan is sent.').waitFor()
    await expect.poll(() => chain.getBalance({ address: to })).toBeGreaterThan(parseEther('0.8'))
  })

  test('behavior: a Safe that it owns is enabled by one transaction, and pays', async () => {
    const { chain } = first()
    const { singleton } = defaultDeployment
    const setup = encodeFunctionData({
      abi: safeAbi,
      functionName: 'setup',
      args: [[key.address], 1n, zeroAddress, '0x', zeroAddress, zeroAddress, 0n, zeroAddress],
    })
    const hash = await chain.sendTransaction({
      ...{ account: key, chain: null, to: defaultDeployment.factory },
      data: encodeFunctionData({
        abi: safeProxyFactoryAbi,
        functionName: 'createProxyWithNonce',
        args: [singleton, setup, 1n],
      }),
    })
    const { logs } = await chain.waitForTransactionReceipt({ hash })
    const safe = getAddress(logs[0]?.address ?? zeroAddress)
    await chain.setBalance({ address: safe, value: parseEther('1') })

    await page().getByText('Use a Safe that this address owns').click()
    const card = page().locator('details', { hasText: 'Use a Safe that this address owns' })
    const field = card.getByLabel('Address of the Safe')
    const read = card.getByRole('button', { name: 'Read the Safe' })
    // One digit in the middle of an address that the person knows.
    const { address } = key
    await field.fill(
      `${address.slice(0, 20)}${address[20] === '0' ? '1' : '0'}${address.slice(21)}`.toLowerCase(),
    )
    await read.click()
    await card.getByText('This looks like an address that you know, and is not').waitFor()
    await card.getByText('Compare this address first.').waitFor()

    await field.fill(safe)
    await read.click()
    await card.getByText('It lacks the module for ERC-4337.').waitFor()
    await expect
      .poll(() => card.getByText('It does not exist here. Send nothing to it on this network.').count())
      .toBe(devnet.networks.length - 1)
    const add = card.getByRole('button', { name: 'Add the module with your wallet' })
    lies = true
    await add.click()
    await card.getByText('Your wallet sees another Safe there.').waitFor()
    lies = false
    expect(await findBarriers(page())).toEqual([])
    await picture('import-safe')

    await add.click()
    await card.getByText('Safe 1.4.1, ready.').waitFor()
    const to = privateKeyToAddress(randomPrivateKey())
    await card.getByLabel('To (address)').fill(to)
    await card.getByLabel('Amount in ETH').fill('0.25')
    expect(await card.getByLabel('Network', { exact: true }).locator('option').count()).toBe(1)
    await card.getByRole('button', { name: 'Sign in your wallet and pay' }).click()
    await card.getByText('Paid from the Safe.').waitFor()
    expect(await chain.getBalance({ address: to })).toBe(parseEther('0.25'))
    expect(browser.complaints).toEqual([])
  })

  test('behavior: the plan lists the approvals that are in force, and no others', async () => {
    const { chain } = first()
    const [kept, ended] = [privateKeyToAddress(randomPrivateKey()), privateKeyToAddress(randomPrivateKey())]
    for (const [spender, amount] of [
      [kept, 5n],
      [ended, 5n],
      [ended, 0n],
    ] as const) {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
      const hash = await chain.sendTransaction({
        account: key,
        chain: null,
        to: settlementTokenAddress,
        data,
      })
      await chain.waitForTransactionReceipt({ hash })
    }
    await chain.setBalance({ address: key.address, value: parseEther('1') })
    await page().reload()
    await page().getByRole('button', { name: 'Sign in with Own Wallet' }).click()
    await page().getByText('1 ETH').first().waitFor()
    await page().getByText('Move everything to another account').click()
    await page().getByLabel('New account (address)').fill(privateKeyToAddress(randomPrivateKey()))
    await page().getByRole('button', { name: 'Show the plan' }).click()
    const read = page().getByRole('button', { name: 'List the approvals with your wallet' })
    switches = false
    await read.click()
    await page().getByText('Your wallet is on another network.').waitFor()
    switches = true
    await read.click()
    const list = page().getByRole('list', { name: 'Approvals' })
    await list.waitFor()
    const text = ((await list.textContent()) ?? '').replaceAll(/\s/g, '').toLowerCase()
    expect(text).toContain(kept.slice(2).toLowerCase())
    expect(text).not.toContain(ended.slice(2).toLowerCase())
    expect(await findBarriers(page())).toEqual([])
    // The other networks have none.
    expect(await list.getByRole('listitem').count()).toBe(1)
    await picture('import-approvals')
  })

  test('behavior: who wants a passkey gets an account that passkey and address own, and moves there', async () => {
    const { chain, network } = first()
    const spender = privateKeyToAddress(randomPrivateKey())
    const mine = { account: key, chain: null } as const
    await chain.setBalance({ address: key.address, value: parseEther('3') })
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 7n] })
    const hash = await chain.sendTransaction({ ...mine, to: settlementTokenAddress, data })
    await chain.waitForTransactionReceipt({ hash })
    current = undefined
    await page().goto(`${service.url}/import`)
    const enter = () => page().getByRole('button', { name: 'Sign in with Own Wallet' }).click()
    await enter()
    await page().getByRole('link', { name: 'Create an account with a passkey' }).click()
    await page().getByLabel('Username', { exact: true }).fill('wanda')
    await page().getByText('Available', { exact: true }).waitFor()
    await page().getByRole('button', { name: 'Create with a passkey' }).click()
    await page()
      .getByRole('heading', { name: /^You have/ })
      .waitFor()

    await page().goto(`${service.url}/import`)
    await enter()
    await page().getByRole('link', { name: 'Make this address an owner of wanda' }).click()
    await page().getByRole('textbox', { name: 'Recovery address' }).waitFor()
    expect(await page().getByRole('textbox', { name: 'Recovery address' }).inputValue()).toBe(key.address)
    await page().getByRole('button', { name: 'Continue' }).click()
    await page()
      .getByRole('button', { name: /Own Wallet/ })
      .click()
    // The list behind it has a button of this name, too.
    await page().getByRole('heading', { name: 'Protect all networks' }).waitFor()
    await page().getByRole('button', { name: 'Start with Local 1' }).click()
    // The next network follows by itself.
    for (const { name } of devnet.networks) {
      await page().getByRole('region', { name: 'Review and sign' }).getByText(name).waitFor()
      await page().getByRole('button', { name: 'Sign with passkey' }).click()
    }
    await page().getByText('This owner can act for your account on every network.').waitFor()

    await page().goto(`${service.url}/import`)
    await enter()
    await page().getByText('Move everything to another account').click()
    const account = getAddress(await page().getByLabel('New account (address)').inputValue())
    await page().getByRole('button', { name: 'Show the plan' }).click()
    await page().getByText(`ETH · ${network.name}`).waitFor()
    await page().getByRole('button', { name: 'List the approvals with your wallet' }).click()
    const approvals = page().getByRole('list', { name: 'Approvals' })
    await approvals.waitFor()
    const listed = ((await approvals.textContent()) ?? '').replaceAll(/\s/g, '').toLowerCase()
    expect(listed).toContain(spender.slice(2).toLowerCase())
    await picture('import-move-to-passkey')
    const before = await chain.getBalance({ address: account })
    await page().getByRole('button', { name: 'Send it with your wallet' }).click()
    await page().getByText('Everything in the plan is sent.').waitFor()
    await expect
      .poll(async () => (await chain.getBalance({ address: account })) - before)
      .toBeGreaterThan(parseEther('2.6'))

    // Address and passkey own the account: the address by itself, the passkey by its signer contract.
    const owners = await chain.readContract({ address: account, abi: safeAbi, functionName: 'getOwners' })
    expect(owners).toHaveLength(2)
    expect(owners).toContain(key.address)
    // The passkey moves what came.
    const to = privateKeyToAddress(randomPrivateKey())
    await page().goto(`${service.url}/send`)
    await page().getByLabel('To', { exact: true }).fill(to)
    await page().getByLabel('Amount', { exact: true }).fill('0.25')
    await page().getByRole('button', { name: 'Review' }).click()
    await page().getByRole('button', { name: 'Sign with passkey' }).click()
    await page().getByRole('heading', { name: 'Done' }).waitFor()
    expect(await chain.getBalance({ address: to })).toBe(parseEther('0.25'))
    expect(browser.complaints).toEqual([])
  })
})
