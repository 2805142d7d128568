import { describe, expect, test } from 'vitest'
import { paymentUri } from './payment-uri.ts'

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
