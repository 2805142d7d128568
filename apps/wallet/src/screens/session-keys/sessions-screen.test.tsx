// @vitest-environment happy-dom
import { sessionKeyId } from '@lanyard/session-keys'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { account, friend, renderWallet, withFakeService } from '../../../test/render-wallet.tsx'
import { rememberDraft } from '../../session-keys/known-apps.ts'
import { emptySessionDraft } from '../../session-keys/session-draft.ts'
import { SessionsScreen } from './sessions-screen.tsx'

const { service } = withFakeService()

test('behavior: a key that was granted by hand and has ended opens its form again', async () => {
  service().answers['sessionKey.list'] = () => ({ sessions: [] })
  service().answers['smartAccount.gasFees'] = () => ({ result: '1' })
  const anHourAgo = Math.floor(Date.now() / 1_000) - 3_600
  rememberDraft(
    account,
    1,
    sessionKeyId(friend),
    { ...emptySessionDraft, key: friend, fees: '0.3' },
    anHourAgo,
  )
  const { user } = renderWallet(<SessionsScreen />)
  await user.click(await screen.findByRole('button', { name: 'Renew the key granted by hand on Net 1' }))
  expect(screen.getByLabelText<HTMLTextAreaElement>('Session key').value).toBe(friend)
  expect(screen.getByLabelText<HTMLInputElement>('Network fees in total, at most').value).toBe('0.3')
})

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
