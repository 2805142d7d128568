import { describe, expect, test } from 'vitest'
import { nativeCurrency } from '../../amounts/currency.ts'
import type { NetworkBalance } from '../../networks/use-balances.ts'
import type { Network } from '../../networks/use-networks.ts'
import { sumByCurrency } from './sum-by-currency.ts'

const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const network = (chainId: number, decimals: number): Network => ({
  chainId,
  name: `Network ${chainId}`,
  explorerUrl: undefined,
  sessionKeys: undefined,
  local: true,
  currencies: [nativeCurrency, { symbol: 'USDC', decimals, token }],
  smartBalance: undefined,
})
const balance = (chainId: number, native: bigint, amount: bigint): NetworkBalance => ({
  chainId,
  available: true,
  deployed: true,
  native,
  tokens: [{ address: token, balance: amount }],
})

describe('sumByCurrency', () => {
  test('default', () => {
    const sums = sumByCurrency([network(1, 6), network(2, 6)], [balance(1, 1n, 2n), balance(2, 3n, 4n)])
    expect(sums).toMatchObject([
      { currency: { symbol: 'USDC' }, amount: 6n },
      { currency: nativeCurrency, amount: 4n },
    ])
  })

  test.each([
    [6, 18],
    [18, 6],
  ])('behavior: %i and %i decimals count as one currency, exactly', (first, second) => {
    const one = (decimals: number) => 10n ** BigInt(decimals)
    const sums = sumByCurrency(
      [network(1, first), network(2, second)],
      [balance(1, 0n, one(first)), balance(2, 0n, one(second))],
    )
    expect(sums[0]).toMatchObject({ currency: { decimals: 18 }, amount: 2n * one(18) })
  })

  test('behavior: what there is none of does not come first', () => {
    const sums = sumByCurrency([network(1, 6)], [balance(1, 5n, 0n)])
    expect(sums.map(({ currency }) => currency.symbol)).toEqual([nativeCurrency.symbol, 'USDC'])
    const nothing = sumByCurrency([network(1, 6)], [balance(1, 0n, 0n)])
    expect(nothing.map(({ currency }) => currency.symbol)).toEqual(['USDC', nativeCurrency.symbol])
  })

  test('behavior: a network that does not answer counts as nothing', () => {
    const down: NetworkBalance = {
      chainId: 1,
      available: false,
      deployed: false,
      native: undefined,
      tokens: [],
    }
    expect(sumByCurrency([network(1, 6)], [down])).toMatchObject([{ amount: 0n }, { amount: 0n }])
  })
})
