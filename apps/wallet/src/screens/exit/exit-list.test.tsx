// @vitest-environment happy-dom

import { encodeCancelExit, encodeFinalizeExit, encodeRequestExit } from '@lanyard/smart-balance'
import { useStoredDraft } from '@lanyard/ui'
import { screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import {
  account,
  expectNoBarriers,
  networks,
  renderWallet,
  withFakeService,
} from '../../../test/render-wallet.tsx'
import { hasSmartBalance } from '../../networks/use-networks.ts'
import type { Deposit } from '../../smart-balance/use-deposits.ts'
import { type ExitAmounts, ExitList } from './exit-list.tsx'

withFakeService()
const offered = networks.filter(hasSmartBalance)
const [network] = offered
if (!network) throw new TypeError('there are networks')
const { address } = network.smartBalance

const deposit: Deposit = {
  chainId: 1,
  balance: 60_000_000n,
  available: 50_000_000n,
  reserved: 10_000_000n,
  exiting: 0n,
  exitReadyAt: undefined,
  pinned: true,
}

interface ListProps {
  readonly deposits: readonly Deposit[]
  readonly onReview: (...request: unknown[]) => void
  readonly unavailable?: readonly number[]
  readonly pending?: readonly number[]
  readonly busy?: boolean
  readonly error?: Error
  readonly onCancel?: () => void
}

function List({
  deposits,
  onReview,
  unavailable = [],
  pending = [],
  busy = false,
  error,
  onCancel = () => {},
}: ListProps) {
  const amounts = useStoredDraft<ExitAmounts>('exit', {})
  return (
    <ExitList
      networks={offered}
      deposits={{ deposits, unavailable }}
      amounts={amounts.draft}
      onAmounts={amounts.change}
      onReview={onReview}
      onCancel={onCancel}
      pending={pending}
      chosen={1}
      busy={busy}
      error={error ?? null}
    />
  )
}
const renderList = (changed: Partial<Deposit> = {}, more: Partial<ListProps> = {}) => {
  const onReview = vi.fn()
  return {
    onReview,
    ...renderWallet(<List deposits={[{ ...deposit, ...changed }]} onReview={onReview} {...more} />),
  }
}
const amount = () => screen.getByLabelText<HTMLInputElement>('How much on Net 1')
const start = () => screen.getByRole('button', { name: 'Start withdrawal on Net 1' })

describe('ExitList', () => {
  test('behavior: explains the ways to withdraw only where something is deposited', () => {
    const held = renderList()
    screen.getByText(/^Without the operator:/)
    held.unmount()
    renderWallet(<List deposits={[]} onReview={() => {}} />)
    screen.getByText('Nothing deposited')
    expect(screen.queryByText(/^Without the operator:/)).toBeNull()
  })

  test('default: withdraws everything except what open payments hold', async () => {
    const { user, onReview, container } = renderList()
    screen.getByText('60 USDC deposited')
    expect(amount().value).toBe('50')
    await user.click(start())
    expect(onReview).toHaveBeenCalledWith(network, encodeRequestExit(address, 50_000_000n))
    await expectNoBarriers(container)
  })

  test('behavior: accepts another amount, and keeps it on reload', async () => {
    const { user, onReview, unmount } = renderList()
    await user.clear(amount())
    await user.type(amount(), '12.5')
    unmount()
    const again = renderList()
    expect(amount().value).toBe('12.5')
    await again.user.click(start())
    expect(onReview).not.toHaveBeenCalled()
    expect(again.onReview).toHaveBeenCalledWith(network, encodeRequestExit(address, 12_500_000n))
    await again.user.click(screen.getByRole('button', { name: 'Max: withdraw all on Net 1' }))
    expect(amount().value).toBe('50')
  })

  test.each([
    ['', 'Enter an amount.'],
    ['0', 'Enter more than zero.'],
    ['60.000001', 'At most 60 USDC.'],
    ['0.0000001', 'At most 6 decimals.'],
  ])('error: "%s"', async (typed, message) => {
    const { user, onReview, container } = renderList()
    await user.clear(amount())
    if (typed) await user.type(amount(), typed)
    await user.click(start())
    await screen.findByText(message)
    expect(document.activeElement).toBe(amount())
    expect(onReview).not.toHaveBeenCalled()
    await expectNoBarriers(container)
  })

  test('behavior: a waiting withdrawal can be cancelled, and cannot be collected', async () => {
    const { user, onReview, container } = renderList({
      exiting: 20_000_000n,
      exitReadyAt: new Date(Date.now() + 86_400_000).toISOString(),
    })
    screen.getByText(/^20 USDC, ready on/)
    expect(screen.queryByRole('button', { name: /^Collect/ })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Cancel withdrawal on Net 1' }))
    expect(onReview).toHaveBeenCalledWith(network, encodeCancelExit(address))
    await expectNoBarriers(container)
  })

  test('behavior: a ready withdrawal is collected to the account itself', async () => {
    const { user, onReview } = renderList({
      exiting: 20_000_000n,
      exitReadyAt: new Date(0).toISOString(),
    })
    await user.click(screen.getByRole('button', { name: 'Collect on Net 1' }))
    expect(onReview).toHaveBeenCalledWith(network, encodeFinalizeExit(address, account))
  })

  test('behavior: offers no further step while one is pending', () => {
    renderList({}, { pending: [1] })
    screen.getByText('Waiting until your last step is final on the network.')
    expect(screen.queryByRole('button')).toBeNull()
  })

  test('behavior: a long request can be cancelled', async () => {
    const onCancel = vi.fn()
    const { user, onReview } = renderList({}, { busy: true, onCancel })
    await user.click(start())
    expect(onReview).not.toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(onCancel).toHaveBeenCalled()
  })

  test('behavior: shows which networks do not answer, and what went wrong', async () => {
    const { container } = renderList({}, { unavailable: [2], error: new TypeError('Failed to fetch') })
    screen.getByText('Net 2 is not responding. Your deposits there are not shown.')
    screen.getByRole('alert')
    await expectNoBarriers(container)
  })

  test('behavior: links to a deposit if nothing is deposited', async () => {
    const { container } = renderList({ balance: 0n })
    expect(screen.getByRole('link', { name: 'Deposit' }).getAttribute('href')).toBe('/deposit')
    await expectNoBarriers(container)
  })
})
