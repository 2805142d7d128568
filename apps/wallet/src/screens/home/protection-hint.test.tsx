// @vitest-environment happy-dom
import type { QueryClient } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ServiceFailure } from '../../../test/fake-service.ts'
import {
  account,
  expectNoBarriers,
  friend,
  networks,
  renderWallet,
  withFakeService,
} from '../../../test/render-wallet.tsx'
import { startRemoval } from '../../owners/unfinished-removals.ts'
import { LossCard } from '../protection/loss-card.tsx'
import { ProtectionHint } from './protection-hint.tsx'

const { service } = withFakeService()

const passkey = { address: account, kind: 'passkey', credentialId: 'phone' } as const
const setOf = (hash: string) => ({ hash, guardians: { members: [friend], threshold: 1, delay: 86_400 } })
const able = { guardian: friend, kind: 'eoa', networks: [1, 2].map((network) => ({ network, status: 'up' })) }

/** The account on both networks. @param hashes - of the guardians in force on each; undefined: none */
function withAccount(hashes: readonly (string | undefined)[], owners: readonly object[] = [passkey]) {
  service().answers['owner.list'] = () => ({
    networks: [1, 2].map((network) => ({ network, status: 'up', owners })),
  })
  service().answers['guardian.list'] = () => ({
    account,
    networks: hashes.map((hash, index) => ({
      network: index + 1,
      status: 'up',
      ...(hash && { current: setOf(hash) }),
    })),
    guardians: [able],
  })
}

/** Waits until owners are read, and guardians as well or not. */
const settled = (queryClient: QueryClient, guardians: 'success' | 'error') =>
  waitFor(() => {
    expect(queryClient.getQueryState(['owners', account])?.status).toBe('success')
    expect(queryClient.getQueryState(['guardians', account])?.status).toBe(guardians)
  })

test('default: nothing is said where guardians could recover each network', async () => {
  withAccount(['0x01', '0x01'])
  const { container, queryClient } = renderWallet(<ProtectionHint />)
  await settled(queryClient, 'success')
  expect(container.textContent).toBe('')
})

test('behavior: a network without guardians in force is named', async () => {
  withAccount(['0x01', undefined])
  renderWallet(<ProtectionHint />)
  await screen.findByText('On Net 2, your passkey is the only key to this account.')
})

test('behavior: a network with other guardians is named, and Protection says the same', async () => {
  withAccount(['0x01', '0x02'])
  const { container } = renderWallet(
    <>
      <ProtectionHint />
      <LossCard
        guardians={setOf('0x01').guardians as never}
        chainIds={[1]}
        ownership={{
          owners: [{ ...passkey, label: undefined, chainIds: [1, 2] }],
          down: [],
          known: [1, 2],
          unprotected: [1, 2],
        }}
        networks={networks}
        onChange={() => {}}
        onAdd={() => {}}
      />
    </>,
  )
  await screen.findByText('Other guardians count on Net 2.')
  await screen.findByText('On Net 2, other people could give your account to a new passkey.')
  await expectNoBarriers(container)
})

test('behavior: an owner who is being removed is no protection', async () => {
  const phone = { address: friend, kind: 'passkey', label: 'Lost phone', credentialId: 'lost' }
  withAccount([undefined, undefined], [passkey, phone])
  startRemoval(account, friend)
  renderWallet(<ProtectionHint />)
  await screen.findByText('Lost phone is only partly removed.')
  await screen.findByText('Your passkey is the only key to this account.')
})

test('behavior: without an answer on the guardians, nothing is claimed about them', async () => {
  withAccount([])
  service().answers['guardian.list'] = () => {
    throw new ServiceFailure('NETWORK_UNAVAILABLE')
  }
  const { container, queryClient } = renderWallet(<ProtectionHint />)
  await settled(queryClient, 'error')
  expect(container.textContent).toBe('')
})

const credentials = (backedUp: boolean) => () => ({ credentials: [{ credentialId: 'phone', backedUp }] })

test('behavior: a passkey that is on one device only is said, until another one is there', async () => {
  withAccount(['0x01', '0x01'])
  service().answers['webauthn.credentials'] = credentials(false)
  const { container, queryClient } = renderWallet(<ProtectionHint />)
  await screen.findByText('Your passkey is not backed up.')
  screen.getByRole('link', { name: 'Add another passkey' })
  await expectNoBarriers(container)
  withAccount(['0x01', '0x01'], [passkey, { ...passkey, address: friend, credentialId: 'key' }])
  await queryClient.invalidateQueries({ queryKey: ['owners', account] })
  await waitFor(() => expect(container.textContent).toBe(''))
})

test.each([
  ['it is backed up', 'success', credentials(true)],
  [
    'that is unknown',
    'error',
    () => {
      throw new ServiceFailure('DATABASE_UNAVAILABLE')
    },
  ],
] as const)('behavior: nothing is said if %s', async (_, status, answer) => {
  withAccount(['0x01', '0x01'])
  service().answers['webauthn.credentials'] = answer
  const { container, queryClient } = renderWallet(<ProtectionHint />)
  await waitFor(() => expect(queryClient.getQueryState(['credentials', account])?.status).toBe(status))
  expect(container.textContent).toBe('')
})
