import type { CallContext, CallDescription } from '@lanyard/calls'
import { nativeOf } from '@lanyard/calls'
import { describe, expect, test } from 'vitest'
import { balancesAfter } from './balance-after.ts'

const account = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const eth = { symbol: 'ETH', decimals: 18 } as const
const dai = { symbol: 'DAI', decimals: 18, token } as const
const unit = { symbol: 'DAI', decimals: 6 } as const
const context: CallContext = {
  account,
  tokens: [eth, dai],
  smartBalance: { address: friend, token: dai, unit },
}
const balance = {
  chainId: 1,
  available: true,
  deployed: true,
  native: 100n,
  tokens: [{ address: token, balance: 50n * 10n ** 18n }],
} as const
const after = (calls: readonly CallDescription[], maxFee = 10n) =>
  balancesAfter(calls, { currency: nativeOf(context.tokens), amount: maxFee }, balance, context).map(
    ({ currency, amount }) => [currency.symbol, amount],
  )

describe('balancesAfter', () => {
  test('default: subtracts amount and fee', () => {
    expect(after([{ kind: 'transfer', to: friend, amount: 40n, currency: eth }])).toEqual([['ETH', 50n]])
  })

  test('behavior: subtracts a token amount, and the fee from the native coin', () => {
    const amount = 20n * 10n ** 18n
    expect(after([{ kind: 'transfer', to: friend, amount, currency: dai }])).toEqual([
      ['ETH', 90n],
      ['DAI', 30n * 10n ** 18n],
    ])
  })

  test("behavior: converts a deposit from the protocol's units", () => {
    expect(after([{ kind: 'deposit', amount: 20_000_000n, unit }], 0n)).toEqual([['DAI', 30n * 10n ** 18n]])
  })

  test('behavior: subtracts only the fee for a payment to oneself', () => {
    expect(after([{ kind: 'transfer', to: account, amount: 40n, currency: eth }])).toEqual([['ETH', 90n]])
  })

  test('behavior: returns nothing for unknown calls or balances', () => {
    expect(after([{ kind: 'contract', to: friend, value: 0n, selector: '0x12345678' }])).toEqual([])
    const fee = { currency: nativeOf(context.tokens), amount: 10n }
    expect(balancesAfter([], fee, undefined, context)).toEqual([])
  })
})
