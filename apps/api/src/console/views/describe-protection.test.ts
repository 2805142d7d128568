import { encodeOwnerChange, noGuardians } from '@lanyard/accounts'
import { expect, test } from 'vitest'
import { describeProtection } from './describe-protection.ts'

const base = { at: '2026-01-01T00:00:00.000Z', messageToSign: '0x01', networks: [], waiting: [] } as const
const say = (act: object) =>
  describeProtection({ ...base, ...act } as unknown as Parameters<typeof describeProtection>[0])

test('behavior: a recovery is started, waits, or was cancelled, as its networks say', () => {
  expect(say({ act: 'recovery-started', networks: [1], waiting: [2] })).toBe('Recovery started')
  expect(say({ act: 'recovery-started', waiting: [1, 2] })).toBe('Recovery signed, not started yet')
  expect(say({ act: 'recovery-started' })).toBe('Recovery signed, then cancelled')
  expect(say({ act: 'recovery-executed', networks: [1], waiting: [2, 3] })).toBe(
    'Recovered on 1 of 3 networks',
  )
})

test("behavior: an owner's change says what it changed, and that it ended a recovery", () => {
  const change = encodeOwnerChange({ kind: 'setGuardians', guardians: noGuardians })
  expect(say({ act: 'change', change })).toBe('Guardians removed')
  const cancel = encodeOwnerChange({ kind: 'cancel' })
  expect(say({ act: 'change', change: cancel, endsRecovery: true })).toBe(
    'Cancelled by an owner, which ended a recovery',
  )
  expect(say({ act: 'change', change: { kind: '0x12', data: '0x' } })).toBe('Owners changed')
})
