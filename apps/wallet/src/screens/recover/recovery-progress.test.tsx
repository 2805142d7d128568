// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { isCancelled, type KnownRecovery } from '../../recovery/use-recovery.ts'
import { RecoveryProgress } from './recovery-progress.tsx'

afterEach(cleanup)

const recovery = (...states: KnownRecovery['networks'][number]['state'][]): KnownRecovery => ({
  ...{ sequence: '1', number: '1', messageToSign: '0x01', newOwners: [], newThreshold: '1' },
  createdAt: '2026-01-01T00:00:00.000Z',
  networks: states.map((state, index) => ({ network: index + 1, state, final: false, signed: [] })),
})

test('behavior: says on how many networks the account is recovered, until it is all of them', () => {
  const { rerender } = render(
    <RecoveryProgress recovery={recovery('ready', 'running', 'running')} networks={[]} />,
  )
  expect(screen.queryByRole('status')).toBeNull()
  rerender(<RecoveryProgress recovery={recovery('executed', 'running', 'unknown')} networks={[]} />)
  screen.getByText('Recovered on 1 of 3 networks.')
  rerender(<RecoveryProgress recovery={recovery('executed', 'executed', 'cancelled')} networks={[]} />)
  screen.getByText('Recovered on 2 of 3 networks.')
  rerender(<RecoveryProgress recovery={recovery('executed', 'executed', 'executed')} networks={[]} />)
  screen.getByText('Recovered on 3 of 3 networks.')
})

test('behavior: a cancelled recovery has ended also while a network does not answer', () => {
  expect(isCancelled(recovery('cancelled', 'cancelled', 'unknown'))).toBe(true)
  expect(isCancelled(recovery('unknown', 'unknown'))).toBe(false)
  expect(isCancelled(recovery('cancelled', 'running'))).toBe(false)
  expect(isCancelled(recovery('executed', 'cancelled'))).toBe(false)
})
