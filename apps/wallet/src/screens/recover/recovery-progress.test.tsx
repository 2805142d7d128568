// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import {
  endingOf,
  isCancelled,
  type KnownRecovery,
  type RecoveryStatus,
} from '../../recovery/use-recovery.ts'
import { RecoveryProgress } from './recovery-progress.tsx'

afterEach(cleanup)

const recovery = (...states: KnownRecovery['networks'][number]['state'][]): KnownRecovery => ({
  sequence: '1',
  number: '1',
  messageToSign: '0x01',
  newOwners: [],
  newThreshold: '1',
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

test('behavior: an ended recovery was replaced, taken back by guardians, or ended by an owner or by time', () => {
  const ended = recovery('cancelled', 'cancelled')
  const status = (more: Partial<RecoveryStatus> = {}): RecoveryStatus => ({
    account: '0x01',
    networks: [],
    recoveries: [ended],
    cancellations: [],
    ...more,
  })
  const later = { ...recovery('executed', 'pending'), number: '2', messageToSign: '0x02' } as const
  const running = { messageToSign: '0x02', readyAt: 1, isKnown: false } as const
  const taken = (number: string, isDone: boolean) => ({
    sequence: '1',
    number,
    messageToSign: '0x03' as const,
    createdAt: ended.createdAt,
    signed: [],
    networks: [{ network: 1, isDone }],
  })
  expect(endingOf(status(), ended)).toBe('owner')
  expect(endingOf(status({ recoveries: [later, ended] }), ended)).toBe('replaced')
  expect(endingOf(status({ recoveries: [{ ...later, sequence: '2' }, ended] }), ended)).toBe('owner')
  expect(endingOf(status({ networks: [{ network: 1, status: 'up', running }] }), ended)).toBe('replaced')
  expect(endingOf(status({ cancellations: [taken('1', true)] }), ended)).toBe('guardians')
  expect(endingOf(status({ cancellations: [taken('1', false)] }), ended)).toBe('owner')
  expect(endingOf(status({ cancellations: [taken('0', true)] }), ended)).toBe('owner')
})
