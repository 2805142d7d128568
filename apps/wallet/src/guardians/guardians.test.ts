import { encodeEnableModule, encodeOwnerChange, toGuardianSet } from '@lanyard/accounts'
import { knownModule } from '@lanyard/calls'
import { type Address, keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { requireKnownModule } from '../networks/known-module.ts'
import { toTransactionDetails } from '../passkey/verify-operation.ts'
import { enablingCall } from './enabling-call.ts'
import { thresholdOf, usualThreshold } from './guardian-draft.ts'
import { sequenceAfter } from './sign-owner-change.ts'
import { guardiansInForce, type OwnershipStatus } from './use-ownership.ts'

const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const friend = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const other = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const network = { chainId: 1, sessionKeys: friend, smartBalance: undefined } as const
const networks = [network] as never
const module = knownModule(network)

const guardians = toGuardianSet({ members: [friend, other], threshold: 2, delay: 86_400 })
const { kind, data } = encodeOwnerChange({ kind: 'setGuardians', guardians })
const change = { sequence: '0', kind, data, signature: '0x', messageToSign: '0x', networks: [] } as const

const status = (more: Partial<OwnershipStatus> = {}): OwnershipStatus => ({
  module,
  split: false,
  ownersDiffer: false,
  networks: [],
  changes: [],
  ...more,
})
const up = (id: number, more: object = {}) => ({ network: id, status: 'up' as const, ...more })

describe('threshold', () => {
  test('default: more than half', () => {
    expect([1, 2, 3, 4, 5].map(usualThreshold)).toEqual([1, 2, 2, 3, 3])
  })

  test('behavior: never more than there are', () => {
    const draft = { members: [friend, other] as readonly Address[], threshold: '5', delay: '86400' }
    expect(thresholdOf(draft)).toBe(2)
    expect(thresholdOf({ ...draft, members: [] })).toBe(1)
  })
})

describe('guardiansInForce', () => {
  const hash = keccak256(data)

  test('default: found by the hash that networks keep', () => {
    const found = guardiansInForce(
      status({ networks: [up(1, { guardians: hash }), up(2)], changes: [{ ...change, networks: [] }] }),
    )
    expect(found).toEqual({ guardians, hash, chainIds: [1] })
  })

  test('behavior: where networks differ, those of most networks', () => {
    const networks = [up(1, { guardians: hash }), up(2, { guardians: hash }), up(3, { guardians: '0x03' })]
    expect(guardiansInForce(status({ networks, changes: [{ ...change, networks: [] }] }))).toEqual({
      guardians,
      hash,
      chainIds: [1, 2],
    })
  })

  test('behavior: set elsewhere, or none', () => {
    expect(guardiansInForce(status({ networks: [up(1, { guardians: hash })] })).guardians).toBe('unknown')
    expect(guardiansInForce(status({ networks: [up(1)] })).guardians).toBeUndefined()
  })
})

test('sequenceAfter: after what any network consumed, and after what is signed', () => {
  expect(sequenceAfter(status())).toBe(0n)
  expect(sequenceAfter(status({ networks: [up(1, { sequence: '2' }), up(2, { sequence: '3' })] }))).toBe(3n)
  const signed = { ...change, sequence: '4', networks: [] }
  expect(sequenceAfter(status({ networks: [up(1, { sequence: '2' })], changes: [signed] }))).toBe(5n)
})

describe('enablingCall', () => {
  const call = encodeEnableModule({ module, account })
  const planned = (...calls: (typeof call)[]) =>
    status({ networks: [up(1, { transactionDetails: toTransactionDetails(calls) })] })

  test('default: the one call that enables the module', () => {
    expect(enablingCall(account, planned(call), networks[0])).toEqual(call)
    expect(enablingCall(account, status({ networks: [up(1)] }), networks[0])).toBeUndefined()
  })

  test('error: CALLS_DIFFER for anything else', () => {
    const differ = expect.objectContaining({ code: 'CALLS_DIFFER' })
    expect(() => enablingCall(account, planned(call, call), networks[0])).toThrow(differ)
    const external = encodeEnableModule({ module: friend, account })
    expect(() => enablingCall(account, planned(external), networks[0])).toThrow(differ)
  })

  test('error: FOREIGN_MODULE for a module that this wallet does not know', () => {
    const external = expect.objectContaining({ code: 'FOREIGN_MODULE' })
    expect(() => requireKnownModule(friend, networks)).toThrow(external)
    expect(() => enablingCall(account, { ...planned(call), module: friend }, networks[0])).toThrow(external)
  })
})
