import { describe, expect, test } from 'vitest'
import { paymentUri, placeOfRequest, readPaymentUri } from './payment-uri.ts'

const to = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const eth = { symbol: 'ETH', decimals: 18 } as const
const usdc = { symbol: 'USDC', decimals: 6, token } as const

describe('paymentUri', () => {
  test("default: matches ERC-681's examples for value and for a token", () => {
    expect(paymentUri({ to, chainId: 10, currency: eth, amount: 2_014_000_000_000_000_000n })).toBe(
      `ethereum:${to}@10?value=2014000000000000000`,
    )
    expect(paymentUri({ to, chainId: 10, currency: usdc, amount: 1n })).toBe(
      `ethereum:${token}@10/transfer?address=${to}&uint256=1`,
    )
  })

  test('behavior: without an amount the payer decides', () => {
    expect(paymentUri({ to, chainId: 1, currency: eth, amount: undefined })).toBe(`ethereum:${to}@1`)
    expect(paymentUri({ to, chainId: 1, currency: usdc, amount: undefined })).toBe(
      `ethereum:${token}@1/transfer?address=${to}`,
    )
  })
})

describe('readPaymentUri', () => {
  test.each([
    [`ethereum:${to}`, { to, chainId: undefined, token: undefined, amount: undefined }],
    [
      `ethereum:pay-${to}@10?value=2.014e18`,
      { to, chainId: 10, token: undefined, amount: 2_014n * 10n ** 15n },
    ],
    [`ETHEREUM:${to.toLowerCase()}@1?value=1`, { to, chainId: 1, token: undefined, amount: 1n }],
    [`ethereum:${token}@10/transfer?address=${to}&uint256=1`, { to, chainId: 10, token, amount: 1n }],
    [`ethereum:${to}?value=1&gas=21000&gasPrice=1`, { to, chainId: undefined, token: undefined, amount: 1n }],
    [`ethereum:${token}/transfer?address=${to}`, { to, chainId: undefined, token, amount: undefined }],
  ])('default: %s', (text, expected) => {
    expect(readPaymentUri(text)).toEqual(expected)
  })

  test('behavior: reads what this wallet writes', () => {
    for (const currency of [eth, usdc])
      for (const amount of [undefined, 12n])
        expect(readPaymentUri(paymentUri({ to, chainId: 10, currency, amount }))).toEqual({
          ...{ to, chainId: 10, token: 'token' in currency ? token : undefined, amount },
        })
  })

  test.each([
    to,
    'ethereum:vitalik.eth',
    `ethereum:${to.slice(0, -1)}`,
    `ethereum:${to.replace('15d', '15D')}`,
    `ethereum:${token}/approve?address=${to}&uint256=1`,
    `ethereum:${token}/transfer?uint256=1`,
    `ethereum:${token}/transfer?address=${to}&uint256=1&value=1`,
    `ethereum:${token}/transfer?address=${to}&address=${token}&uint256=1`,
    `ethereum:${to}?value=1.5`,
    `ethereum:${to}?value=-1`,
    `ethereum:${to}@one?value=1`,
    // Other calls: their parameters decide which function a contract runs.
    `ethereum:${token}/transfer?address=${to}&uint256=1&bytes=0xdeadbeef`,
    `ethereum:${token}/transfer?uint256=1&address=${to}`,
    `ethereum:${token}@1?address=${to}&uint256=1`,
    `ethereum:${to}?value=1&data=0xd0e30db0`,
    `ethereum:${to}?value=1&uint256=5`,
  ])('error: %s', (text) => {
    expect(readPaymentUri(text)).toBeUndefined()
  })
})

test('placeOfRequest: a network and a currency of this service, or none', () => {
  const networks = [
    { chainId: 1, currencies: [eth] },
    { chainId: 10, currencies: [eth, usdc] },
  ]
  const request = { to, chainId: undefined, token: undefined, amount: undefined } as const
  expect(placeOfRequest(request, networks)).toMatchObject({ chainId: 1, asset: 0 })
  expect(placeOfRequest({ ...request, token }, networks)).toMatchObject({ chainId: 10, asset: 1 })
  expect(placeOfRequest({ ...request, chainId: 137 }, networks)).toBeUndefined()
  expect(placeOfRequest({ ...request, chainId: 1, token }, networks)).toBeUndefined()
})
