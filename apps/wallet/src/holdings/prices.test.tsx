// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ServiceFailure } from '../../test/fake-service.ts'
import { renderWallet, withFakeService } from '../../test/render-wallet.tsx'
import { formatWorth, worthOf } from './prices.ts'
import { Worth } from './worth.tsx'

const { service } = withFakeService()

const eth = { symbol: 'ETH', decimals: 18 }
const cent = 10n ** 16n

test.each([
  [123_456n * cent, 'nearest', '≈\u00a0$1,234.56'],
  [123_456n * cent + cent / 2n, 'nearest', '≈\u00a0$1,234.57'],
  [123_456n * cent + cent / 2n - 1n, 'nearest', '≈\u00a0$1,234.56'],
  [cent + 1n, 'up', '≈\u00a0$0.02'],
  [cent, 'up', '≈\u00a0$0.01'],
  [cent - 1n, 'nearest', 'less than $0.01'],
  [1n, 'up', 'less than $0.01'],
  [0n, 'nearest', undefined],
  [9_007_199_254_740_993n * 10n ** 14n, 'nearest', '≈\u00a0$900,719,925,474.10'],
  [10n ** 30n - 1n, 'nearest', '≈\u00a0$1,000,000,000,000.00'],
  [10n ** 30n, 'nearest', undefined],
] as const)('formatWorth: %s, %s', (worth, round, text) => {
  expect(formatWorth(worth, round)).toBe(text)
})

test('worthOf: decimals of the currency and of the price', () => {
  expect(worthOf(1_500_000n, { symbol: 'USDC', decimals: 6 }, 10n ** 18n)).toBe(150n * cent)
  expect(worthOf(1n, eth, 2_500n * 10n ** 18n)).toBe(2_500n)
})

const ether = <Worth chainId={1} currency={eth} amount={10n ** 18n} before="worth " />

test('Worth: what the service says, and only of this network and currency', async () => {
  const of = { network: 1, token: null, currency: 'USD', source: 'http' }
  service().answers['system.prices'] = () => ({
    prices: [
      { ...of, price: '2512.345' },
      { ...of, network: 2, price: '1' },
      { ...of, token: '0x5FbDB2315678afecb367f032d93F642f64180aa3', price: '1' },
    ],
  })
  renderWallet(ether)
  await screen.findByText('worth ≈ $2,512.35')
})

test('Worth: nothing without an answer, and what was known goes with the connection', async () => {
  service().answers['system.prices'] = () => ({ prices: [{ network: 1, token: null, price: '1' }] })
  const { container, queryClient } = renderWallet(ether)
  expect(container.textContent).toBe('')
  await screen.findByText('worth ≈ $1.00')
  service().answers['system.prices'] = () => {
    throw new ServiceFailure('DATABASE_UNAVAILABLE')
  }
  await queryClient.invalidateQueries({ queryKey: ['prices'] })
  await waitFor(() => expect(container.textContent).toBe(''))
})
