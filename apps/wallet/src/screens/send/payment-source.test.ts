import { describe, expect, test } from 'vitest'
import type { Network } from '../../networks/use-networks.ts'
import type { Deposits } from '../../smart-balance/use-deposits.ts'
import { cheapestSource, firstHeld, networkToPay } from './payment-source.ts'

const account = '0x90F79bf6EB2c4f870365E785982E1f101E93b906' as const
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' as const
const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const eth = { symbol: 'ETH', decimals: 18 } as const
const usdc = { symbol: 'USDC', decimals: 6, token } as const
const network = (chainId: number, changed: Partial<Network> = {}): Network => ({
  chainId,
  name: `Network ${chainId}`,
  explorerUrl: undefined,
  local: true,
  currencies: [eth, usdc],
  smartBalance: { address: token, token: usdc, unit: { symbol: 'USDC', decimals: 6 } },
  sessionKeys: undefined,
  ...changed,
})
const balance = (native: bigint, amount: bigint, chainId = 1) => ({
  chainId,
  available: true,
  deployed: true,
  native,
  tokens: [{ address: token, balance: amount }] as const,
})
const deposits = (available: bigint, pinned = true): Deposits => ({
  deposits: [
    {
      chainId: 2,
      balance: available,
      available,
      reserved: 0n,
      exiting: 0n,
      exitReadyAt: undefined,
      pinned,
    },
  ],
  unavailable: [],
})

describe('cheapestSource', () => {
  const wanted = {
    account,
    network: network(1),
    currency: usdc,
    amount: '50',
    recipient: friend,
    balance: balance(1n, 100_000_000n),
    deposits: deposits(900_000_000n),
  } as const

  test('default: the account pays what it has, since that costs only the network fee', () => {
    expect(cheapestSource(wanted)).toBe('account')
    expect(cheapestSource({ ...wanted, amount: '' })).toBe('account')
    expect(cheapestSource({ ...wanted, amount: '100' })).toBe('account')
  })

  test('behavior: the combined balance pays what the account does not have there', () => {
    expect(cheapestSource({ ...wanted, amount: '100.000001' })).toBe('combined')
    expect(cheapestSource({ ...wanted, amount: '', balance: balance(1n, 0n) })).toBe('combined')
  })

  test('behavior: the combined balance pays if the account has no coin for the fee', () => {
    expect(cheapestSource({ ...wanted, balance: balance(0n, 100_000_000n) })).toBe('combined')
  })

  test('behavior: if neither has enough, the larger one says so', () => {
    expect(cheapestSource({ ...wanted, amount: '5000' })).toBe('combined')
    expect(cheapestSource({ ...wanted, amount: '5000', deposits: deposits(1_000_000n) })).toBe('account')
  })

  test('behavior: money for the own account comes from the combined balance', () => {
    expect(cheapestSource({ ...wanted, recipient: account })).toBe('combined')
    expect(cheapestSource({ ...wanted, recipient: account, deposits: deposits(0n) })).toBe('account')
  })

  test('behavior: other currencies, unknown balances and deposits that no key may spend are not the combined balance', () => {
    expect(cheapestSource({ ...wanted, currency: eth, amount: '5000' })).toBe('account')
    expect(cheapestSource({ ...wanted, amount: '500', deposits: undefined })).toBe('account')
    expect(cheapestSource({ ...wanted, amount: '500', balance: undefined })).toBe('account')
    expect(cheapestSource({ ...wanted, amount: '500', deposits: deposits(900_000_000n, false) })).toBe(
      'account',
    )
    const without = network(1, { smartBalance: undefined })
    expect(cheapestSource({ ...wanted, amount: '500', network: without })).toBe('account')
  })
})

describe('networkToPay', () => {
  const networks = [network(1), network(2), network(3)]
  const [first, second, third] = networks as [Network, Network, Network]
  const pay = (amount: string, balances: readonly ReturnType<typeof balance>[]) =>
    networkToPay(first, usdc, amount, networks, balances)

  test('default: the first network whose account has enough', () => {
    const balances = [balance(1n, 5_000_000n), balance(1n, 10_000_000n, 2), balance(1n, 90_000_000n, 3)]
    expect(pay('5', balances)).toBe(first)
    expect(pay('10', balances)).toBe(second)
    expect(pay('90', balances)).toBe(third)
    expect(pay('', balances)).toBe(first)
  })

  test('behavior: a network without a coin for the fee pays last', () => {
    expect(pay('5', [balance(0n, 5_000_000n), balance(1n, 10_000_000n, 2)])).toBe(second)
    expect(pay('5', [balance(0n, 5_000_000n)])).toBe(first)
  })

  test('behavior: if no account has enough, the first that has something, or the given one', () => {
    expect(pay('500', [balance(1n, 0n), balance(1n, 10_000_000n, 2)])).toBe(second)
    expect(networkToPay(third, usdc, '500', networks, [])).toBe(third)
  })
})

describe('firstHeld', () => {
  const networks = [network(1), network(2)]
  test('default: the first network and currency of which the account has something', () => {
    expect(firstHeld(networks, [balance(0n, 0n), balance(0n, 5n, 2)], undefined)).toEqual({
      network: networks[1],
      asset: 1,
    })
    expect(firstHeld(networks, [balance(1n, 5n)], undefined)).toEqual({ network: networks[0], asset: 0 })
  })

  test('behavior: who has only deposits sends their currency', () => {
    expect(firstHeld(networks, [balance(0n, 0n)], deposits(5n))).toEqual({ network: networks[0], asset: 1 })
  })

  test('behavior: without anything, the first of both', () => {
    expect(firstHeld(networks, undefined, undefined)).toEqual({ network: networks[0], asset: 0 })
    expect(firstHeld([], undefined, undefined)).toEqual({ network: undefined, asset: 0 })
  })
})
