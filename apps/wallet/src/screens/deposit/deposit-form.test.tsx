// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { expectNoBarriers, networks, renderWallet, withFakeService } from '../../../test/render-wallet.tsx'
import { hasSmartBalance } from '../../networks/use-networks.ts'
import { DepositForm } from './deposit-form.tsx'

withFakeService()
const offered = networks.filter(hasSmartBalance)

function Form({ onReview }: { onReview: (amount: bigint) => void }) {
  const [amount, setAmount] = useState('')
  const [network] = offered
  return (
    network && (
      <DepositForm
        networks={offered}
        network={network}
        onNetwork={() => {}}
        amount={amount}
        onAmount={setAmount}
        onReview={onReview}
        onCancel={() => {}}
        busy={false}
        error={null}
      />
    )
  )
}
const renderForm = () => {
  const onReview = vi.fn()
  return { onReview, ...renderWallet(<Form onReview={onReview} />) }
}
const review = () => screen.getByRole('button', { name: 'Review' })

describe('DepositForm', () => {
  test("default: deposits everything, in the protocol's units", async () => {
    const { user, onReview, container } = renderForm()
    await user.click(screen.getByRole('button', { name: 'Max: deposit all USDC' }))
    await user.click(review())
    expect(onReview).toHaveBeenCalledWith(100_000_000n)
    await expectNoBarriers(container)
  })

  test.each([
    ['', 'Enter an amount.'],
    ['0', 'Enter more than zero.'],
    ['1,500', 'Is that 1500 or 1.500? Use “.” for decimals.'],
    ['101', 'You have 100 USDC on Net 1.'],
  ])('error: "%s"', async (amount, message) => {
    const { user, onReview, container } = renderForm()
    if (amount) await user.type(screen.getByLabelText('Amount'), amount)
    await user.click(review())
    await screen.findByText(message)
    expect(onReview).not.toHaveBeenCalled()
    await expectNoBarriers(container)
  })
})
