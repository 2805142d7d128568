// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { type ComponentProps, useState } from 'react'
import { getAddress, parseEther } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import { ServiceFailure } from '../../../test/fake-service.ts'
import {
  account,
  expectNoBarriers,
  friend,
  networks,
  renderWallet,
  usdcToken,
  withFakeService,
} from '../../../test/render-wallet.tsx'
import { rememberRecipient } from '../../recipients/known-recipients.ts'
import { emptyDraft } from './draft.ts'
import { SendForm } from './send-form.tsx'
import { SendScreen } from './send-screen.tsx'

const { service } = withFakeService()

function Form({ onReview }: Pick<ComponentProps<typeof SendForm>, 'onReview'>) {
  const [draft, setDraft] = useState(emptyDraft)
  return (
    <SendForm
      networks={networks}
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
  const onReview = vi.fn()
  return { onReview, ...renderWallet(<Form onReview={onReview} />) }
}
const field = (name: string) => screen.getByLabelText(name, { exact: true })

/** A form for somebody with 900 USDC in the combined balance, besides 100 USDC on each network. */
async function renderWithDeposits() {
  service().answers['smartBalance.deposits'] = () => ({
    deposits: [
      {
        network: 2,
        balance: '900000000',
        available: '900000000',
        reserved: '0',
        exiting: '0',
        pinned: true,
      },
    ],
  })
  service().answers['smartBalance.getQuote'] = () => {
    throw new ServiceFailure('INSUFFICIENT_FUNDS', { largest: '0' })
  }
  const form = renderForm()
  await waitFor(() => expect(form.queryClient.getQueryData(['deposits', account])).toBeDefined())
  return form
}

describe('SendForm', () => {
  test('behavior: pays from the combined balance what the account does not have there', async () => {
    const { user, onReview } = await renderWithDeposits()
    await user.selectOptions(field('Currency'), 'USDC')
    await user.type(field('To'), friend)
    await user.type(field('Amount'), '500')
    await user.click(screen.getByRole('button', { name: 'Review' }))
    expect(onReview).toHaveBeenCalledWith({
      network: networks[0],
      request: { chainId: 1, type: 'AMOUNT_OUT', amount: 500_000_000n },
      recipient: friend,
    })
  })

  test('behavior: the account pays what it has, and the combined balance is ready in case the fee is too high', async () => {
    const { user, onReview, container } = await renderWithDeposits()
    await user.selectOptions(field('Currency'), 'USDC')
    await user.type(field('To'), friend)
    await user.type(field('Amount'), '50')
    await screen.findByText(/^Your account on Net 1 pays/)
    await user.click(screen.getByRole('button', { name: 'Review' }))
    expect(onReview).toHaveBeenCalledWith({
      network: networks[0],
      calls: [expect.objectContaining({ to: usdcToken, value: 0n })],
      instead: {
        network: networks[0],
        request: { chainId: 1, type: 'AMOUNT_OUT', amount: 50_000_000n },
        recipient: friend,
      },
    })
    await expectNoBarriers(container)
  })

  test('behavior: money for the own account comes from the combined balance, and a button selects it', async () => {
    const { user, onReview, container } = await renderWithDeposits()
    await user.selectOptions(field('Network'), 'Net 2')
    await user.selectOptions(field('Currency'), 'USDC')
    await user.type(field('Amount'), '500')
    await user.click(screen.getByRole('button', { name: 'To my own account' }))
    await screen.findByText(/^This is your own address: the money moves to your account on Net 2/)
    expect(screen.getByLabelText<HTMLInputElement>('To').value).toBe(account)
    await user.clear(field('Amount'))
    await user.type(field('Amount'), '12.5')
    await expectNoBarriers(container)
    await user.click(screen.getByRole('button', { name: 'Review' }))
    expect(onReview).toHaveBeenCalledWith({
      network: networks[1],
      request: { chainId: 2, type: 'AMOUNT_OUT', amount: 12_500_000n },
      recipient: account,
    })
  })

  test('error: shows each error at its field', async () => {
    const { user, onReview } = renderForm()
    await user.click(screen.getByRole('button', { name: 'Review' }))
    await screen.findByText('Enter an address or a username.')
    screen.getByText('Enter an amount.')
    expect(onReview).not.toHaveBeenCalled()
  })

  test('default: sends to an address', async () => {
    const { user, onReview, container } = renderForm()
    await user.type(field('To'), friend)
    await user.type(field('Amount'), '0.25')
    await user.click(screen.getByRole('button', { name: 'Review' }))
    expect(onReview).toHaveBeenCalledWith({
      network: networks[0],
      calls: [{ to: friend, value: parseEther('0.25'), data: '0x' }],
    })
    // Deposits say whether the combined balance could pay. The draft stays on this page.
    expect(service().requested).toEqual([
      { procedure: 'smartBalance.deposits', input: { walletAddress: account } },
      { procedure: 'system.prices', input: {} },
    ])
    await expectNoBarriers(container)
  })

  test('behavior: looks up a username that is typed and submitted immediately', async () => {
    service().answers['user.details'] = () => ({ username: 'Bob', wallet: { scw_address: friend } })
    service().answers['user.search'] = () => ({ result: [] })
    const { user, onReview } = renderForm()
    await user.type(field('To'), 'bob')
    await user.type(field('Amount'), '1')
    await user.click(screen.getByRole('button', { name: 'Review' }))
    await waitFor(() => expect(onReview).toHaveBeenCalled())
    expect(onReview.mock.calls[0]?.[0].calls[0].to).toBe(friend)
    // The full address of the recipient is always shown.
    expect(screen.getByText(friend.slice(2, 6))).toBeDefined()
  })

  test('error: for an unknown name, the field gets the focus', async () => {
    service().answers['user.details'] = () => {
      throw new ServiceFailure('UNKNOWN_USER')
    }
    service().answers['user.search'] = () => ({ result: [] })
    const { user, onReview } = renderForm()
    await user.type(field('To'), 'nobody')
    await user.type(field('Amount'), '1')
    await user.click(screen.getByRole('button', { name: 'Review' }))
    await screen.findByText('Nobody here is called “nobody”. Check the spelling.')
    await waitFor(() => expect(document.activeElement).toBe(field('To')))
    expect(onReview).not.toHaveBeenCalled()
  })

  test('error: an amount above the balance is rejected without a request', async () => {
    const { user, onReview, container } = renderForm()
    await user.selectOptions(field('Currency'), 'USDC')
    await user.type(field('To'), friend)
    await user.type(field('Amount'), '5000')
    await user.click(screen.getByRole('button', { name: 'Review' }))
    await screen.findByText('You have 100 USDC on this network.')
    expect(field('Amount').getAttribute('aria-invalid')).toBe('true')
    expect(onReview).not.toHaveBeenCalled()
    await expectNoBarriers(container)
  })

  test('behavior: a recipient that looks like somebody known is refused until what differs is typed', async () => {
    const poison = `${friend.slice(0, 6)}4c1e90ab3f07d2c88e516b93f0a422e7${friend.slice(-4)}`.toLowerCase()
    rememberRecipient(account, { address: friend, contact: 'Nils', paidAt: 1 })
    const { user, onReview, container } = renderForm()
    await user.type(field('To'), poison)
    await user.type(field('Amount'), '0.25')
    screen.getByText('This looks like Nils, and is not')
    // The ends, which are the same, are never the loud part.
    const bold = [...container.querySelectorAll('strong')].map(({ textContent }) => textContent.toLowerCase())
    expect(bold).toContain('4c1e')
    expect(bold).not.toContain(friend.slice(2, 6))
    expect(screen.queryByRole('button', { name: 'Save as contact' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Review' }))
    await screen.findByText('Confirm the address first.')
    const confirmation = field('If you mean this address, type the four digits that follow 7099')
    await waitFor(() => expect(document.activeElement).toBe(confirmation))
    await expectNoBarriers(container)
    await user.type(confirmation, '7997')
    await user.click(screen.getByRole('button', { name: 'Review' }))
    expect(onReview).not.toHaveBeenCalled()
    await user.clear(confirmation)
    await user.type(confirmation, '4C1E')
    await screen.findByText('You confirmed this address.')
    await user.click(screen.getByRole('button', { name: 'Review' }))
    expect(onReview).toHaveBeenCalledWith({
      network: networks[0],
      calls: [{ to: getAddress(poison), value: parseEther('0.25'), data: '0x' }],
    })
  })

  test('behavior: a user whose name looks like that of a contact is refused, and the contact is offered', async () => {
    const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
    rememberRecipient(account, { address: friend, contact: 'nils' })
    service().answers['user.details'] = () => ({ username: 'niIs', wallet: { scw_address: other } })
    service().answers['user.search'] = () => ({ result: [] })
    const { user, onReview } = renderForm()
    await user.type(field('To'), 'niIs')
    await user.type(field('Amount'), '1')
    await user.click(screen.getByRole('button', { name: 'Review' }))
    await screen.findByText('Only the name looks the same. It belongs to another address.')
    expect(onReview).not.toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: 'Send to nils instead' }))
    await user.click(screen.getByRole('button', { name: 'Review' }))
    expect(onReview.mock.calls[0]?.[0].calls[0].to).toBe(friend)
  })

  test('behavior: a pasted request fills in network, currency, recipient and amount', async () => {
    const { user, onReview, container } = await renderWithDeposits()
    await user.click(field('To'))
    await user.paste(`ethereum:${usdcToken}@2/transfer?address=${friend}&uint256=500000000`)
    expect(screen.getByLabelText<HTMLInputElement>('Amount').value).toBe('500')
    expect(screen.getByLabelText<HTMLInputElement>('To').value).toBe(friend)
    await expectNoBarriers(container)
    await user.click(screen.getByRole('button', { name: 'Review' }))
    expect(onReview).toHaveBeenCalledWith({
      network: networks[1],
      request: { chainId: 2, type: 'AMOUNT_OUT', amount: 500_000_000n },
      recipient: friend,
    })
  })

  test('error: a request for a network or token that this service does not have says so at once', async () => {
    const { user, onReview } = renderForm()
    await user.click(field('To'))
    await user.paste(`ethereum:${friend}@137?value=1`)
    screen.getByText('This request cannot be paid here: its network or token is not one of this service.')
    await user.type(field('Amount'), '1')
    await user.click(screen.getByRole('button', { name: 'Review' }))
    expect(onReview).not.toHaveBeenCalled()
  })

  test('behavior: a link with a request opens the form filled in, and what it filled in can be changed', async () => {
    const uri = encodeURIComponent(`ethereum:${friend}@2?value=250000000000000000`)
    const { user } = renderWallet(<SendScreen />, { path: `/send?request=${uri}` })
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Amount').value).toBe('0.25'))
    expect(screen.getByLabelText<HTMLInputElement>('To').value).toBe(friend)
    expect(screen.getByLabelText<HTMLSelectElement>('Network').value).toBe('2')
    await user.type(field('Amount'), '5')
    expect(screen.getByLabelText<HTMLInputElement>('Amount').value).toBe('0.255')
  })
})
