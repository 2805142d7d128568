// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  account,
  expectNoBarriers,
  friend,
  renderWallet,
  withFakeService,
} from '../../../test/render-wallet.tsx'
import { contactsFile, readRecipients, rememberRecipient } from '../../recipients/known-recipients.ts'
import { ContactsScreen } from './contacts-screen.tsx'

withFakeService()
const shop = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const file = (text: string) => new File([text], 'contacts.json', { type: 'application/json' })
const choose = () => screen.getByLabelText<HTMLInputElement>('Add from a file', { selector: 'input' })

test('default: a saved copy brings contacts back, and changes no name that is there', async () => {
  const saved = contactsFile([
    { address: friend, contact: 'Old name' },
    { address: shop, contact: 'Shop', username: 'shop_99' },
  ])
  rememberRecipient(account, { address: friend, contact: 'Ben' })
  const { user, container } = renderWallet(<ContactsScreen />)
  await user.upload(choose(), file(saved))
  await screen.findByText('1 contact was added.')
  screen.getByText('Shop')
  expect(readRecipients(account)).toMatchObject([
    { address: friend, contact: 'Ben' },
    { address: shop, contact: 'Shop', username: 'shop_99' },
  ])
  await expectNoBarriers(container)
})

test.each(['', '{}', '[]', '[{"name":"x","address":"0x12"}]', '[null]'])(
  'error: a file without contacts: %s',
  async (text) => {
    const { user } = renderWallet(<ContactsScreen />)
    await user.upload(choose(), file(text))
    await screen.findByText('This file holds no contacts. Choose a copy that this wallet saved.')
    expect(readRecipients(account)).toEqual([])
  },
)
