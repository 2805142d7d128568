import { describe, expect, test } from 'vitest'
import type { Network } from '../../networks/use-networks.ts'
import type { Deposit } from '../../smart-balance/use-deposits.ts'
import { totalsOf } from './total.ts'

const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const eth = { symbol: 'ETH', decimals: 18 } as const
const network = (chainId: number, decimals: number): Network => {
  const usdc = { symbol: 'USDC', decimals, token } as const
  return {
    chainId,
    name: `Network ${chainId}`,
    explorerUrl: undefined,
    local: true,
    currencies: [eth, usdc],
    smartBalance: { address: token, token: usdc, unit: { symbol: 'USDC', decimals: 6 } },
    sessionKeys: undefined,
  }
}
const balance = (chainId: number, native: bigint, amount: bigint) => ({
  chainId,
  available: true,
  deployed: true,
  native,
  tokens: [{ address: token, balance: amount }] as const,
})
const deposit = (chainId: number, amount: bigint): Deposit => ({
  chainId,
  balance: amount,
  available: amount,
  reserved: 0n,
  exiting: 0n,
  exitReadyAt: undefined,
  pinned: true,
})

describe('totalsOf', () => {
  test('default: adds up account and combined balance, and tokens of 6 and 18 decimals', () => {
    const networks = [network(1, 6), network(2, 18)]
    const balances = [balance(1, 5n, 100_000_000n), balance(2, 0n, 10n * 10n ** 18n)]
    const deposits = { deposits: [deposit(1, 25_000_000n), deposit(2, 1_000_000n)], unavailable: [] }
    expect(
      totalsOf(networks, balances, deposits).map(({ currency, amount, shares }) => [
        currency.symbol,
        amount,
        shares.map(({ network, amount }) => [network.chainId, amount]),
      ]),
    ).toEqual([
      [
        'USDC',
        136n * 10n ** 18n,
        [
          [1, 125n * 10n ** 18n],
          [2, 11n * 10n ** 18n],
        ],
      ],
      ['ETH', 5n, [[1, 5n]]],
    ])
  })

  test('behavior: native currencies with different names are never added up', () => {
    const networks = [network(1, 6), { ...network(2, 6), currencies: [{ symbol: 'POL', decimals: 18 }] }]
    const totals = totalsOf(networks, [balance(1, 1n, 0n), balance(2, 2n, 0n)], undefined)
    expect(totals.map(({ currency, amount }) => [currency.symbol, amount])).toEqual([
      ['USDC', 0n],
      ['ETH', 1n],
      ['POL', 2n],
    ])
  })

  test('behavior: a network that does not answer adds nothing', () => {
    const down = { chainId: 1, available: false, deployed: false, native: undefined, tokens: [] }
    expect(totalsOf([network(1, 6)], [down], undefined).map(({ amount }) => amount)).toEqual([0n, 0n])
  })
})
