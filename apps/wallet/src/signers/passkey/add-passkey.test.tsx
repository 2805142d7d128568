// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { fakePasskey } from '../../../test/fake-passkey.ts'
import { expectNoBarriers, renderWallet, withFakeService } from '../../../test/render-wallet.tsx'
import { AddOwner } from '../../screens/owners/add-owner.tsx'

const { service } = withFakeService()

/** Opens the form as a person would: it is the second of the two kinds of owners. */
async function renderForm() {
  service().answers['webauthn.credentialOptions'] = () => ({
    challenge: 'AQID',
    rp: { id: 'localhost', name: 'Lanyard' },
    user: { id: 'AQID', name: 'alice', displayName: 'alice' },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  })
  service().answers['webauthn.credentialVerify'] = () => ({ credentialId: 'AQID' })
  const onChange = vi.fn()
  const rendered = renderWallet(<AddOwner onChange={onChange} />)
  return { onChange, ...rendered }
}
const name = () => screen.getByLabelText<HTMLInputElement>('Name')
const create = () => screen.getByRole('button', { name: 'Create a passkey' })
const verified = () =>
  service().requested.filter(({ procedure }) => procedure === 'webauthn.credentialVerify')

describe('AddPasskey', () => {
  test('default: a named passkey becomes a candidate with its own key', async () => {
    fakePasskey()
    const { user, onChange, container } = await renderForm()
    await user.click(screen.getByRole('tab', { name: 'Passkey' }))
    await expectNoBarriers(container)
    await user.type(name(), '  Spare phone ')
    await user.click(create())
    await waitFor(() =>
      expect(onChange).toHaveBeenCalledWith({
        kind: 'add',
        candidate: expect.objectContaining({
          kind: 'passkey',
          credentialId: 'AQID',
          x: expect.any(BigInt),
          y: expect.any(BigInt),
        }),
      }),
    )
    expect(verified().map(({ input }) => input.label)).toEqual(['Spare phone'])
  })

  test('behavior: a reload keeps the name and the kind of owner', async () => {
    const { user, unmount } = await renderForm()
    await user.click(screen.getByRole('tab', { name: 'Passkey' }))
    await user.type(name(), 'Spare')
    unmount()
    await renderForm()
    expect(name().value).toBe('Spare')
  })

  test('error: without a name, no prompt opens', async () => {
    fakePasskey()
    const { user, onChange, container } = await renderForm()
    await user.click(screen.getByRole('tab', { name: 'Passkey' }))
    await user.click(create())
    await screen.findByText('Enter a name first.')
    expect(service().requested).toEqual([])
    expect(onChange).not.toHaveBeenCalled()
    await expectNoBarriers(container)
  })

  test('error: a closed prompt keeps the name', async () => {
    fakePasskey({ agrees: false })
    const { user, onChange, container } = await renderForm()
    await user.click(screen.getByRole('tab', { name: 'Passkey' }))
    await user.type(name(), 'Spare')
    await user.click(create())
    await screen.findByText('The passkey prompt was closed or timed out.')
    expect(name().value).toBe('Spare')
    expect(verified()).toEqual([])
    expect(onChange).not.toHaveBeenCalled()
    await expectNoBarriers(container)
  })
})
