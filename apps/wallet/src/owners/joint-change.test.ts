import { encodeOwnerChange } from '@lanyard/accounts'
import { describe, expect, test } from 'vitest'
import type { SignableChange } from '../guardians/sign-owner-change.ts'
import type { OwnershipStatus, SignedChange } from '../guardians/use-ownership.ts'
import { findSigned, jointNetworks } from './joint-change.ts'
import type { Owner } from './use-owners.ts'

const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const module = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

describe('jointNetworks', () => {
  const phone = (chainIds: readonly number[]): Owner => ({
    address: friend,
    kind: 'passkey',
    label: undefined,
    credentialId: 'phone',
    chainIds,
  })
  const status = (enabled: readonly number[]): OwnershipStatus => ({
    module,
    split: false,
    ownersDiffer: false,
    changes: [],
    networks: [1, 2, 3].map((network) => ({ network, status: 'up', enabled: enabled.includes(network) })),
  })
  const of = (enabled: readonly number[], owned: readonly number[], down: readonly number[] = []) =>
    jointNetworks(status(enabled), { owners: [phone(owned)], down }, 'phone')

  test('default: the networks with the module', () => {
    expect(of([1, 2, 3], [1, 2, 3])).toEqual([1, 2, 3])
    expect(of([1, 3], [1, 2, 3])).toEqual([1, 3])
  })

  test('behavior: none if the passkey cannot sign for one of them', () => {
    expect(of([1, 2, 3], [1, 2])).toEqual([])
    expect(of([1, 2], [1, 2])).toEqual([1, 2])
    expect(of([1, 2, 3], [1, 2], [3])).toEqual([1, 2, 3])
    expect(jointNetworks(status([1]), { owners: [phone([1])], down: [] }, 'laptop')).toEqual([])
  })

  test('behavior: none without the module', () => {
    const { module: _, ...without } = status([1])
    expect(jointNetworks(without, { owners: [phone([1])], down: [] }, 'phone')).toEqual([])
  })
})

describe('findSigned', () => {
  const add: SignableChange = { kind: 'addOwner', owner: { kind: 'eoa', address: friend } }
  const signed = (change: SignableChange, sequence: number, state: 'pending' | 'final'): SignedChange => ({
    sequence: String(sequence),
    ...encodeOwnerChange(change),
    signature: '0x',
    messageToSign: '0x',
    networks: [{ network: 1, state }],
  })
  const pending = [{ chainId: 1, status: 'pending' }] as const

  test('default: one that is still on its way', () => {
    const change = signed(add, 0, 'pending')
    expect(findSigned({ changes: [change, signed({ kind: 'cancel' }, 1, 'pending')] }, add, pending)).toBe(
      change,
    )
  })

  test('behavior: another one, one that came before others, and one that has arrived must be signed again', () => {
    const removal = { ...add, kind: 'removeOwner' } as const
    expect(findSigned({ changes: [signed(removal, 0, 'pending')] }, add, pending)).toBeUndefined()
    const later = [signed(add, 0, 'pending'), signed(removal, 1, 'pending')]
    expect(findSigned({ changes: later }, add, pending)).toBeUndefined()
    expect(findSigned({ changes: [signed(add, 0, 'final')] }, add, pending)).toBeUndefined()
  })
})
