// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import {
  expectNoBarriers,
  networks,
  renderWallet,
  usdcToken,
  withFakeService,
} from '../../../test/render-wallet.tsx'
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
  const rendered = renderWallet(<TotalCard />)
  rendered.queryClient.removeQueries({ queryKey: ['balances'] })
  return rendered
}
const offered = () =>
  screen
    .getAllByRole('link')
    .map(({ textContent }) => textContent)
    .filter((text) => text !== 'Withdraw')

describe('TotalCard', () => {
  test('default: one figure for account and deposits, a sentence about the deposits, and one Send', async () => {
    const { container } = await renderCard(
      [{ ...deposit, balance: '250000000', available: '250000000' }],
      '50000000',
    )
    await screen.findByText('350.00')
    await screen.findByText(/^250\.00 USDC of it is deposited/)
    expect(offered()).toEqual(['Send', 'Receive', 'Deposit'])
    await expectNoBarriers(container)
  })

  test('behavior: whoever has nothing can only receive', async () => {
    const { container } = await renderCard([], '0')
    await screen.findByText(/^Nothing here yet/)
    expect(offered()).toEqual(['Receive'])
    await expectNoBarriers(container)
  })

  test('behavior: without deposits, a sentence says what they are good for', async () => {
    await renderCard([], '50000000')
    await screen.findByText(/^Nothing is deposited/)
    expect(offered()).toEqual(['Send', 'Receive', 'Deposit'])
  })
})
