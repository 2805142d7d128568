// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import {
  expectNoBarriers,
  networks,
  renderWallet,
  usdcToken,
  withFakeService,
} from '../../../test/render-wallet.tsx'
import { AssetsCard } from './assets-card.tsx'
import { TotalCard } from './total-card.tsx'

const { service } = withFakeService()

const deposit = { network: 1, reserved: '0', exiting: '0', pinned: true }
const renderCard = async (deposits: readonly object[], held: string) => {
  const balances = networks.map(({ chainId }) => ({
    network: String(chainId),
    available: true,
    deployed: true,
    native: '0',
    tokens: [{ address: usdcToken, symbol: 'USDC', decimals: 6, balance: held }],
  }))
  service().answers['wallet.balances'] = () => ({ balances })
  service().answers['smartBalance.deposits'] = () => ({ deposits })
  const rendered = renderWallet(
    <>
      <TotalCard />
      <AssetsCard />
    </>,
  )
  rendered.queryClient.removeQueries({ queryKey: ['balances'] })
  return rendered
}
const offered = () =>
  within(screen.getByRole('region', { name: 'Total balance' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent)

describe('TotalCard and AssetsCard', () => {
  test('default: one figure for account and deposits, a sentence about the deposits, and one Send', async () => {
    const { container } = await renderCard(
      [{ ...deposit, balance: '250000000', available: '250000000' }],
      '50000000',
    )
    const heading = await screen.findByRole('heading', { level: 1 })
    await waitFor(() => expect(heading.textContent).toBe('You have 350.00 USDC 0 ETH'))
    // By token, with the networks in a fold.
    screen.getByRole('button', { name: 'USDC on 2 networks 350.00', expanded: true })
    screen.getByText('250.00 deposited')
    await screen.findByText(/^250\.00 USDC of it is deposited/)
    expect(offered()).toEqual(['Send', 'Receive', 'Add', 'Request'])
    await expectNoBarriers(container)
  })

  const prices = [1, 2].flatMap((network) => [
    { network, token: null, price: '2500', source: 'chainlink' },
    { network, token: usdcToken, price: '0.9999', source: 'chainlink' },
  ])

  test('behavior: with prices, the total is in dollars, and each token says what it is worth', async () => {
    service().answers['system.prices'] = () => ({ prices })
    const { container } = await renderCard(
      [{ ...deposit, balance: '1150000000', available: '1150000000' }],
      '50000000',
    )
    const heading = await screen.findByRole('heading', { level: 1 })
    await waitFor(() => expect(heading.textContent).toBe('You have ≈ $1,249.88'))
    screen.getByRole('button', { name: /^USDC on 2 networks 1\s250\.00 ≈\s\$1,249\.88$/ })
    screen.getByRole('button', { name: 'ETH none yet 0' })
    screen.getByText('Prices by Chainlink')
    await expectNoBarriers(container)
  })

  test.each(['0', 'NaN', '-1', '1e30', '1000000000000000000000000000000'])(
    'behavior: with a price of %s, the total is by token',
    async (price) => {
      service().answers['system.prices'] = () => ({
        prices: prices.map((one) => (one.network === 2 && one.token ? { ...one, price } : one)),
      })
      const { queryClient } = await renderCard([], '50000000')
      await waitFor(() => expect(queryClient.getQueryData(['prices'])).toBeDefined())
      const heading = await screen.findByRole('heading', { level: 1 })
      await waitFor(() => expect(heading.textContent).toBe('You have 100.00 USDC 0 ETH'))
      screen.getByRole('button', { name: 'USDC on 2 networks 100.00' })
    },
  )

  test('behavior: whoever has nothing can only receive', async () => {
    const { container } = await renderCard([], '0')
    await screen.findByText(/^Nothing here yet/)
    expect(offered()).toEqual(['Receive', 'Request'])
    await expectNoBarriers(container)
  })

  test('behavior: without deposits, a sentence says what they are good for', async () => {
    await renderCard([], '50000000')
    await screen.findByText(/^Nothing is deposited/)
    expect(offered()).toEqual(['Send', 'Receive', 'Add', 'Request'])
  })
})
