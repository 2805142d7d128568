// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { type ComponentProps, useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { ServiceFailure } from '../../../test/fake-service.ts'
import {
  account,
  expectNoBarriers,
  friend,
  networks,
  renderWallet,
  withFakeService,
} from '../../../test/render-wallet.tsx'
import { hasSmartBalance } from '../../networks/smart-balance-network.ts'
import { emptySpendDraft } from './spend-draft.ts'
import { SpendForm } from './spend-form.tsx'

const { service } = withFakeService()

function Form({ onReview }: Pick<ComponentProps<typeof SpendForm>, 'onReview'>) {
  const [draft, setDraft] = useState(emptySpendDraft)
  return (
    <SpendForm
      networks={networks.filter(hasSmartBalance)}
      draft={draft}
      onChange={(change) => setDraft((last) => ({ ...last, ...change }))}
      onReview={onReview}
      onCancel={() => {}}
      busy={false}
      error={null}
    />
  )
}
const renderForm = () => {
  service().answers['smartBalance.deposits'] = () => ({ deposits: [] })
  service().answers['smartBalance.getQuote'] = () => {
    throw new ServiceFailure('INSUFFICIENT_FUNDS', { largest: '0' })
  }
  const onReview = vi.fn()
  return { onReview, ...renderWallet(<Form onReview={onReview} />) }
}

describe('SpendForm', () => {
  test('default: sends an amount to arrive on the chosen network', async () => {
    const { user, onReview, container } = renderForm()
    await user.type(screen.getByLabelText('To'), friend)
    await user.selectOptions(screen.getByLabelText('Arrives on'), 'Net 2')
    await user.type(screen.getByLabelText('Amount'), '12.5')
    await user.click(screen.getByRole('button', { name: 'Review' }))
    expect(onReview).toHaveBeenCalledWith({
      network: networks[1],
      request: { chainId: 2, type: 'AMOUNT_OUT', amount: 12_500_000n },
      recipient: friend,
    })
    await expectNoBarriers(container)
  })

  test("behavior: a button selects the user's own account", async () => {
    const { user } = renderForm()
    await user.click(screen.getByRole('button', { name: 'To my own account' }))
    await screen.findByText(/^This is your own address: the money moves to your account on Net 1/)
    expect(screen.getByLabelText<HTMLInputElement>('To').value).toBe(account)
  })

  test('error: shows each error at its field', async () => {
    const { user, onReview } = renderForm()
    await user.click(screen.getByRole('button', { name: 'Review' }))
    await screen.findByText('Enter an address or a username.')
    screen.getByText('Enter an amount.')
    expect(onReview).not.toHaveBeenCalled()
  })
})
