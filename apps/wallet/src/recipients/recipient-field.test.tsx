// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test } from 'vitest'
import {
  account,
  expectNoBarriers,
  friend,
  renderWallet,
  withFakeService,
} from '../../test/render-wallet.tsx'
import { rememberRecipient } from './known-recipients.ts'
import type { Recipient } from './recipient.ts'
import { RecipientField } from './recipient-field.tsx'

const { service } = withFakeService()

function Field() {
  const [state, setState] = useState<{ recipient: string; chosen: Recipient | undefined }>({
    recipient: '',
    chosen: undefined,
  })
  return <RecipientField text={state.recipient} chosen={state.chosen} error={undefined} onChange={setState} />
}
const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'To' })

describe('RecipientField', () => {
  test('default: the arrow keys select contacts and recent recipients, and the field keeps the focus', async () => {
    rememberRecipient(account, { address: friend, contact: 'Grandma' })
    rememberRecipient(account, { address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', paidAt: 1 })
    const { user, container } = renderWallet(<Field />)
    await user.click(field())
    await screen.findByText('2 suggestions')
    await expectNoBarriers(container)
    await user.keyboard('{ArrowUp}{ArrowDown}')
    const option = screen.getByRole('option', { name: /Grandma/ })
    expect(option.getAttribute('aria-selected')).toBe('true')
    expect(field().getAttribute('aria-activedescendant')).toBe(option.id)
    await user.keyboard('{Enter}')
    expect(field().value).toBe('Grandma')
    expect(document.activeElement).toBe(field())
    // The full address is shown beside the name.
    expect(container.textContent).toContain(friend.slice(2, 6))
    await user.click(screen.getByRole('button', { name: 'Remove from contacts' }))
    screen.getByRole('button', { name: 'Save as contact' })
  })

  test('behavior: a user of the service can be saved as a contact under another name', async () => {
    service().answers['user.search'] = () => ({ result: [{ username: 'bob', wallet_address: friend }] })
    const { user, container } = renderWallet(<Field />)
    await user.type(field(), 'bo')
    await user.click(await screen.findByRole('option', { name: /bob/ }))
    await user.click(screen.getByRole('button', { name: 'Save as contact' }))
    await user.type(screen.getByLabelText('Name of the contact'), 'Bob from work{Enter}')
    await screen.findByText('Bob from work')
    await expectNoBarriers(container)
  })

  test('behavior: Escape closes the list, and only the list', async () => {
    rememberRecipient(account, { address: friend, contact: 'Grandma' })
    const { user } = renderWallet(<Field />)
    await user.type(field(), 'gran')
    await screen.findByRole('option')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('option')).toBeNull()
    expect(field().value).toBe('gran')
  })
})
