import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address } from 'viem'
import { describe, expect, onTestFinished, test } from 'vitest'
import { requireSeller } from '../x402/fetch-page.ts'
import { isAllowed, resolveRecipient } from './recipients.ts'
import type { Session } from './sessions.ts'
import { readSettings } from './settings.ts'
import { findCurrency, showAmount, toBaseUnits } from './tokens.ts'

const shop: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const friend: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const token: Address = '0x1de369C050d12c59EAB848C938932a347eaFa68c'
const usdc = { symbol: 'USDC', decimals: 6, address: token }

describe('settings', () => {
  const valid = {
    ...{
      url: 'http://127.0.0.1:3000/',
      walletUrl: 'https://wallet.example',
      account: shop,
      sessionKeys: token,
    },
    ...{ name: 'Agent', origin: 'https://agent.example', key: 'keystore:key.json' },
  }
  async function read(settings: unknown) {
    const folder = await mkdtemp(join(tmpdir(), 'lanyard-agent-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'agent.json')
    await writeFile(path, typeof settings === 'string' ? settings : JSON.stringify(settings))
    return { folder, settings: await readSettings(path) }
  }

  test('default: paths are relative to the file', async () => {
    const { folder, settings } = await read(valid)
    expect(settings).toMatchObject({
      url: 'http://127.0.0.1:3000',
      key: `keystore:${join(folder, 'key.json')}`,
    })
  })

  test.each([
    ['not JSON', '{', 'is not JSON'],
    ['an unknown field', { ...valid, privateKey: '0x' }, 'privateKey'],
    ['a key in the file', { ...valid, key: `0x${'11'.repeat(32)}` }, 'keystore:<path> or remote:<address>'],
    ['HTTP to another machine', { ...valid, url: 'http://wallet.example' }, 'https, or http to localhost'],
    [
      'a seller with a path',
      { ...valid, purse: { network: 1, key: 'keystore:a', ceiling: '5', sellers: ['https://a.example/b'] } },
      'without a path',
    ],
    [
      'an amount that is not decimal',
      { ...valid, purse: { network: 1, key: 'keystore:a', ceiling: '5e3' } },
      'such as 12.5',
    ],
  ])('error: %s', async (_, settings, message) => {
    await expect(read(settings)).rejects.toThrow(message)
  })

  test('error: no file', async () => {
    await expect(readSettings('/nowhere/agent.json')).rejects.toThrow('lanyard-mcp init')
  })
})

describe('amounts', () => {
  test('default: exact in both directions', () => {
    expect(toBaseUnits('12.5', usdc)).toBe(12_500_000n)
    expect(toBaseUnits('0.0000010', usdc)).toBe(1n)
    expect(showAmount(12_500_000n, usdc)).toBe('12.5 USDC')
  })

  test.each([
    ['0.0000001', 'USDC has 6 decimals'],
    ['0', 'The amount is 0'],
    ['0.0', 'The amount is 0'],
  ])('error: %s', (amount, message) => {
    expect(() => toBaseUnits(amount, usdc)).toThrow(message)
  })

  test('error: a symbol that two tokens share', () => {
    const twin = { ...usdc, address: friend }
    const network = { network: 1, name: 'One', currencies: [usdc, twin] }
    expect(() => findCurrency(network, 'usdc')).toThrow('Give the address')
    expect(findCurrency(network, friend.toLowerCase())).toBe(twin)
    expect(() => findCurrency(network, 'DAI')).toThrow('On One there are: USDC')
  })
})

describe('recipients', () => {
  const contacts = { 'The shop': shop }

  test("default: a contact's name, in any case, or an address", () => {
    expect(resolveRecipient('the SHOP ', contacts)).toEqual({ name: 'The shop', address: shop })
    expect(resolveRecipient(shop.toLowerCase(), contacts)).toEqual({ name: 'The shop', address: shop })
    expect(resolveRecipient(friend, contacts)).toEqual({ address: friend })
    expect(() => resolveRecipient('Mallory', contacts)).toThrow('Contacts: The shop.')
  })

  const rule = (counterparty?: Address) => ({
    ...{ kind: 'token' as const, target: token, selector: '0xa9059cbb', maxValue: '0' },
    ...(counterparty && { counterparty }),
  })
  const sessionWith = (rules: Session['rules']) => ({ rules }) as Session

  test('behavior: recipients that a session names may be paid; if it names nobody, only contacts may', () => {
    const named = { session: sessionWith([rule(friend)]), token, contacts }
    expect(isAllowed({ address: friend }, named)).toBe(true)
    expect(isAllowed({ address: shop }, named)).toBe(false) // the chain would refuse it
    const anyone = { session: sessionWith([rule()]), token, contacts }
    expect(isAllowed({ address: shop }, anyone)).toBe(true)
    expect(isAllowed({ address: friend }, anyone)).toBe(false) // the chain would allow it
    expect(isAllowed({ address: friend }, { ...named, token: undefined })).toBe(false)
  })
})

describe('requireSeller', () => {
  const sellers = ['https://api.example.com', 'http://localhost:4021']

  test('default', () => {
    expect(requireSeller('https://api.example.com/a?b', sellers).pathname).toBe('/a')
    expect(requireSeller('http://localhost:4021/', sellers).port).toBe('4021')
  })

  test.each([
    'https://api.example.com.evil.example/',
    'https://api.example.com:8443/',
    'http://api.example.com/',
    'https://api.example.com@evil.example/',
    'https://user:secret@api.example.com/',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'not a URL',
  ])('error: %s', (url) => {
    expect(() => requireSeller(url, sellers)).toThrow()
  })
})
