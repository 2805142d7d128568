// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { type ComponentProps, useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import {
  expectNoBarriers,
  friend,
  networks,
  renderWallet,
  usdcToken,
  withFakeService,
} from '../../../test/render-wallet.tsx'
import { emptySessionDraft } from '../../session-keys/session-draft.ts'
import { hasSessionKeys } from '../../session-keys/use-sessions.ts'
import { GrantForm } from './grant-form.tsx'

const { service } = withFakeService()
const shop = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

function Form({ onReview }: Pick<ComponentProps<typeof GrantForm>, 'onReview'>) {
  const [draft, setDraft] = useState(emptySessionDraft)
  return (
    <GrantForm
      networks={networks.filter(hasSessionKeys)}
      granted={[]}
      draft={draft}
      onDraft={(change) => setDraft((last) => ({ ...last, ...change }))}
      onReview={onReview}
      onChange={() => {}}
      onCancel={() => {}}
      busy={false}
      error={null}
    />
  )
}
function renderForm() {
  service().answers['smartAccount.gasFees'] = () => ({ result: '500000000000000' })
  const onReview = vi.fn()
  return { onReview, ...renderWallet(<Form onReview={onReview} />) }
}
const review = () => screen.getByRole('button', { name: 'Review' })

describe('GrantForm', () => {
  test("default: compiles the form's values", async () => {
    const { user, onReview, container } = renderForm()
    await user.type(screen.getByLabelText('Session key'), friend)
    await user.click(screen.getByLabelText('Send USDC'))
    await user.type(screen.getByLabelText('USDC at most'), '5')
    await user.type(screen.getByLabelText('USDC: recipients'), shop)
    await user.click(review())
    expect(onReview.mock.calls[0]?.[0].request.session.allowances).toEqual([
      { token: usdcToken, period: 86_400, amount: 5_000_000n },
    ])
    await expectNoBarriers(container)
  })

  test('error: shows each error at its field, and focuses the first one', async () => {
    const { user, onReview, container } = renderForm()
    await user.click(review())
    await screen.findByText('Enter the key that the app shows.')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Session key')))
    await user.type(screen.getByLabelText('Session key'), friend)
    await user.click(review())
    await screen.findByText('Choose at least one thing that the key may do.')
    await user.click(screen.getByRole('button', { name: 'Call a contract' }))
    await user.click(review())
    await screen.findByText('Enter the contract’s address.')
    expect(onReview).not.toHaveBeenCalled()
    await expectNoBarriers(container)
  })
})
