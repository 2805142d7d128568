// @vitest-environment happy-dom
import { randomPrivateKey } from '@lanyard/testing'
import { screen, waitFor } from '@testing-library/react'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test, vi } from 'vitest'
import { account, expectNoBarriers, renderWallet, withFakeService } from '../../../test/render-wallet.tsx'
import { AddRecoveryAddress } from './add-recovery-address.tsx'

describe('AddRecoveryAddress', () => {
  withFakeService()
  const key = privateKeyToAccount(randomPrivateKey())
  const renderForm = () => {
    const onChange = vi.fn()
    return { onChange, ...renderWallet(<AddRecoveryAddress onChange={onChange} />) }
  }
  const next = () => screen.getByRole('button', { name: 'Continue' })
  const paste = async (user: ReturnType<typeof renderForm>['user'], signature: string) => {
    await user.click(screen.getByLabelText('Signature'))
    await user.paste(signature)
  }

  test('default: the key signs before it becomes an owner', async () => {
    const { user, onChange, container } = renderForm()
    await user.type(screen.getByLabelText('Recovery address'), key.address)
    await user.click(next())
    const text = (await screen.findByText(/^I hold the key of this address/)).textContent ?? ''
    await expectNoBarriers(container)
    const other = privateKeyToAccount(randomPrivateKey())
    const field = screen.getByLabelText('Signature')
    await paste(user, await other.signMessage({ message: text }))
    await user.click(screen.getByRole('button', { name: 'Check and continue' }))
    await screen.findByText(/^This was signed by/)
    expect(onChange).not.toHaveBeenCalled()
    await user.clear(field)
    await paste(user, await key.signMessage({ message: text }))
    await user.click(screen.getByRole('button', { name: 'Check and continue' }))
    const consent = await key.signMessage({ message: text })
    await waitFor(() =>
      expect(onChange).toHaveBeenCalledWith({
        kind: 'add',
        candidate: { kind: 'eoa', address: key.address, consent },
      }),
    )
  })

  test('behavior: a browser wallet signs with one click', async () => {
    const request = vi.fn(async ({ method, params }: { method: string; params?: [`0x${string}`] }) =>
      method === 'personal_sign' && params ? key.signMessage({ message: { raw: params[0] } }) : [key.address],
    )
    const announce = () =>
      dispatchEvent(
        new CustomEvent('eip6963:announceProvider', {
          detail: { info: { uuid: '1', name: 'Fox\u202e' }, provider: { request } },
        }),
      )
    addEventListener('eip6963:requestProvider', announce)
    const { user, onChange } = renderForm()
    await user.type(screen.getByLabelText('Recovery address'), key.address)
    await user.click(next())
    // The extension chooses the name, so the wallet escapes it.
    await user.click(await screen.findByRole('button', { name: 'Sign with Fox\\u{202e}' }))
    await waitFor(() => expect(onChange).toHaveBeenCalled())
    removeEventListener('eip6963:requestProvider', announce)
  })

  test('behavior: a reload keeps the text to sign, but not the signature', async () => {
    const { user, unmount } = renderForm()
    await user.type(screen.getByLabelText('Recovery address'), key.address)
    await user.click(next())
    const text = (await screen.findByText(/^I hold the key of this address/)).textContent ?? ''
    const signature = await key.signMessage({ message: text })
    await paste(user, signature)
    expect(JSON.stringify(sessionStorage)).not.toContain(signature)
    unmount()
    const again = renderForm()
    await paste(again.user, signature)
    await again.user.click(screen.getByRole('button', { name: 'Check and continue' }))
    await waitFor(() => expect(again.onChange).toHaveBeenCalled())
    // The address is proven, so the form is empty for the next owner.
    expect(sessionStorage.getItem(`lanyard.draft.recovery.${account}`)).toBeNull()
  })

  test('error: the account itself, and an incomplete address', async () => {
    const { user } = renderForm()
    await user.type(screen.getByLabelText('Recovery address'), account)
    await user.click(next())
    await screen.findByText(/An account cannot own itself/)
    await user.clear(screen.getByLabelText('Recovery address'))
    await user.type(screen.getByLabelText('Recovery address'), '0x12')
    await user.click(next())
    await screen.findByText(/this has 2/)
  })
})
