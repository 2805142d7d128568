// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { getAddress } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import {
  account,
  expectNoBarriers,
  friend,
  networks,
  renderWallet,
  withFakeService,
} from '../../../test/render-wallet.tsx'
import { rememberRecipient } from '../../recipients/known-recipients.ts'
import { AddGuardian } from './add-guardian.tsx'

const { service } = withFakeService()

/** The first and last digits are those of `friend`. */
const poison = getAddress('0x70994c1e90ab3f07d2c88e516b93f0a422e779c8')
const guardian = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const remember = () => rememberRecipient(account, { address: friend, contact: 'nils', paidAt: 1 })

async function addGuardian(text: string, found: { guardian: string; username?: string }, holder?: string) {
  service().answers['guardian.check'] = () => ({
    ...{ kind: 'eoa', ...found },
    networks: networks.map(({ chainId }) => ({ network: chainId, status: 'up' })),
  })
  service().answers['user.search'] = () => ({ result: [] })
  if (holder)
    service().answers['user.details'] = () => ({ username: found.username, wallet: { scw_address: holder } })
  const onAdd = vi.fn()
  const rendered = renderWallet(<AddGuardian members={[]} missing={false} onAdd={onAdd} />)
  await rendered.user.type(screen.getByLabelText('Guardian'), text)
  await rendered.user.click(screen.getByRole('button', { name: 'Add guardian' }))
  return { onAdd, ...rendered }
}

describe('AddGuardian', () => {
  test.each([
    ['name', 'niIs', { guardian, username: 'niIs' }, poison],
    ['address', poison, { guardian: poison }, undefined],
  ] as const)(
    'behavior: who looks like a contact, by the %s, is added only once that is confirmed',
    async (...given) => {
      const [, text, found, holder] = given
      remember()
      const { onAdd, user, container } = await addGuardian(text, found, holder)
      await screen.findByText('This looks like nils, and is not')
      await expectNoBarriers(container)
      const field = screen.getByLabelText(/^If you mean this address, type the four digits/)
      await user.type(field, '7970')
      expect(onAdd).not.toHaveBeenCalled()
      await user.clear(field)
      await user.type(field, poison.slice(6, 10))
      expect(onAdd).toHaveBeenCalledExactlyOnceWith(
        found.guardian,
        expect.objectContaining({ username: 'username' in found ? found.username : undefined }),
      )
    },
  )

  test('behavior: the contact is chosen instead', async () => {
    remember()
    const { onAdd, user } = await addGuardian(poison, { guardian: poison })
    await user.click(await screen.findByRole('button', { name: 'Choose the known one instead' }))
    expect(screen.getByLabelText<HTMLInputElement>('Guardian').value).toBe('nils')
    expect(screen.queryByText('This looks like nils, and is not')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Add guardian' }))
    await waitFor(() => expect(service().requested.at(-1)?.input).toMatchObject({ guardian: friend }))
    expect(onAdd.mock.calls.filter(([address]) => address === poison)).toEqual([])
  })

  test('behavior: the contact looks like nobody, whatever address their passkey has', async () => {
    remember()
    const { onAdd } = await addGuardian('nils', { guardian, username: 'nils' }, friend)
    await waitFor(() => expect(onAdd).toHaveBeenCalledOnce())
  })
})
