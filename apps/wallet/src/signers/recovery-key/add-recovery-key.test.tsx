// @vitest-environment happy-dom
import { ownerConsentText } from '@lanyard/accounts'
import { screen, within } from '@testing-library/react'
import { mnemonicToAccount } from 'viem/accounts'
import { expect, test, vi } from 'vitest'
import { account, expectNoBarriers, renderWallet, withFakeService } from '../../../test/render-wallet.tsx'
import { AddRecoveryKey } from './add-recovery-key.tsx'

const { service } = withFakeService()

test('behavior: the key counts once two of its words are typed, and is neither stored nor sent', async () => {
  const onChange = vi.fn()
  const { user, container } = renderWallet(<AddRecoveryKey onChange={onChange} />)
  await user.click(screen.getByRole('button', { name: 'Make a recovery key' }))
  const list = await screen.findByRole('list', { name: 'Recovery key' })
  const words = within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => (textContent ?? '').replace(/^\d+/, ''))
  expect(words).toHaveLength(12)
  await expectNoBarriers(container)
  await user.click(screen.getByRole('button', { name: 'I have kept them' }))
  expect(screen.queryByText(words.join(''))).toBeNull()
  await user.type(screen.getByLabelText('Word 3'), `${words[2]}x`)
  await user.type(screen.getByLabelText('Word 9'), words[8] ?? '')
  await user.click(screen.getByRole('button', { name: 'Check and continue' }))
  expect(screen.getAllByText(/^This is another word/)).toHaveLength(1)
  expect(onChange).not.toHaveBeenCalled()
  await user.clear(screen.getByLabelText('Word 3'))
  await user.type(screen.getByLabelText('Word 3'), ` ${words[2]?.toUpperCase()} `)
  await user.click(screen.getByRole('button', { name: 'Check and continue' }))
  const key = mnemonicToAccount(words.join(' '))
  const { address } = key
  const consent = await key.signMessage({
    message: ownerConsentText({ account: account, owner: address }),
  })
  expect(onChange).toHaveBeenCalledExactlyOnceWith({
    kind: 'add',
    candidate: { kind: 'eoa', address, consent },
  })
  const kept = JSON.stringify([{ ...localStorage }, { ...sessionStorage }, service().requested])
  for (const word of words.slice(0, 2)) expect(kept).not.toContain(`"${word}"`)
  expect(kept).not.toContain(words.slice(0, 3).join(' '))
})
