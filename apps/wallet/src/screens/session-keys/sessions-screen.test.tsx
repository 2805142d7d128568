// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderWallet, withFakeService } from '../../../test/render-wallet.tsx'
import { SessionsScreen } from './sessions-screen.tsx'

const { service } = withFakeService()

test('behavior: a reload keeps the form, and cancelling clears it', async () => {
  service().answers['sessionKey.list'] = () => ({ sessions: [] })
  service().answers['smartAccount.gasFees'] = () => ({ result: '1' })
  const { user, unmount } = renderWallet(<SessionsScreen />)
  const key = () => screen.getByLabelText<HTMLTextAreaElement>('Session key')
  const open = async () => user.click(await screen.findByRole('button', { name: 'Grant by hand' }))
  await open()
  await user.type(key(), '0x1234')
  unmount()
  renderWallet(<SessionsScreen />)
  await open()
  expect(key().value).toBe('0x1234')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await open()
  expect(key().value).toBe('')
})
