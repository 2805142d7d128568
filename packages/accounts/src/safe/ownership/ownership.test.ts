import { zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { basePoint } from '../../../test/p256-base-point.ts'
import { type AccountOwner, defaultVerifiers } from '../../owner.ts'
import {
  decodeOwnerChange,
  encodeOwnerChange,
  fromModuleOwner,
  noGuardians,
  type OwnerChange,
  toGuardianSet,
  toModuleOwner,
} from './owner-change.ts'
import { getOwnerChangeHash, getRecoveryHash, type OwnershipContext } from './ownership-typed-data.ts'
import { verifyOwnerChange, verifyRecovery } from './verify-change.ts'

const eoa: AccountOwner = { kind: 'eoa', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }
const passkey: AccountOwner = { kind: 'passkey', ...basePoint, verifiers: defaultVerifiers }
const guardians = {
  members: [
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  ] as const,
  threshold: 2,
  delay: 86_400,
}
const context: OwnershipContext = {
  module: '0x1000000000000000000000000000000000000001',
  account: '0x2000000000000000000000000000000000000002',
  sequence: 3n,
}
const changes: readonly OwnerChange[] = [
  { kind: 'addOwner', owner: eoa },
  { kind: 'removeOwner', owner: passkey },
  { kind: 'replaceOwner', old: passkey, added: eoa },
  { kind: 'setGuardians', guardians: toGuardianSet(guardians) },
  { kind: 'setThreshold', threshold: 2n },
  { kind: 'setGuardians', guardians: noGuardians },
  { kind: 'revokeSessions' },
  { kind: 'cancel' },
]

describe('a change', () => {
  test.each(changes)('$kind: decodes to itself', (change) => {
    expect(decodeOwnerChange(encodeOwnerChange(change))).toEqual(change)
  })

  test('error: MALFORMED for any other encoding', () => {
    const { kind, data } = encodeOwnerChange({ kind: 'addOwner', owner: eoa })
    const malformed = expect.objectContaining({ code: 'MALFORMED' })
    expect(() => decodeOwnerChange({ kind, data: `${data}00` })).toThrow(malformed)
    expect(() => decodeOwnerChange({ kind, data: '0x' })).toThrow(malformed)
    expect(() => decodeOwnerChange({ kind: `0x${'00'.repeat(32)}`, data: '0x' })).toThrow(malformed)
    const cancel = encodeOwnerChange({ kind: 'cancel' })
    expect(() => decodeOwnerChange({ ...cancel, data: '0x00' })).toThrow(malformed)
  })
})

describe('an owner', () => {
  test.each([eoa, passkey])('$kind: decodes to itself', (owner) => {
    expect(fromModuleOwner(toModuleOwner(owner))).toEqual(owner)
  })

  test('error: a key of the wrong length, or off the curve', () => {
    const { key } = toModuleOwner(passkey)
    expect(() => fromModuleOwner({ kind: 0, key })).toThrow(expect.objectContaining({ code: 'MALFORMED' }))
    expect(() => fromModuleOwner({ kind: 1, key: `${key}00` })).toThrow()
    expect(() => toModuleOwner({ ...passkey, y: passkey.y + 1n })).toThrow(
      expect.objectContaining({ code: 'NOT_ON_CURVE' }),
    )
  })
})

describe('toGuardianSet', () => {
  test('default: sorts', () => {
    expect(toGuardianSet(guardians).members).toEqual([guardians.members[1], guardians.members[0]])
  })

  test.each([
    ['OUT_OF_RANGE', { ...guardians, threshold: 3 }],
    ['OUT_OF_RANGE', { ...guardians, threshold: 0 }],
    ['OUT_OF_RANGE', { ...guardians, delay: 86_399 }],
    ['OUT_OF_RANGE', { ...guardians, delay: 2_592_001 }],
    ['OUT_OF_RANGE', { ...guardians, members: [] }],
    ['MALFORMED', { ...guardians, members: [guardians.members[0], guardians.members[0]] }],
    ['MALFORMED', { ...guardians, members: [zeroAddress] }],
  ])('error: %s', (code, set) => {
    expect(() => toGuardianSet(set)).toThrow(expect.objectContaining({ code }))
  })
})

describe('verifyOwnerChange', () => {
  const change: OwnerChange = { kind: 'addOwner', owner: eoa }
  const prepared = {
    sequence: 3n,
    ...encodeOwnerChange(change),
    messageToSign: getOwnerChangeHash(change, context),
  }

  test('default', () => {
    expect(verifyOwnerChange(prepared, change, context)).toEqual({ ok: true, hash: prepared.messageToSign })
  })

  test.each([
    ['OTHER_CHANGE', { ...prepared, ...encodeOwnerChange({ kind: 'cancel' }) }],
    ['OTHER_CHANGE', { ...prepared, ...encodeOwnerChange({ kind: 'addOwner', owner: passkey }) }],
    ['OTHER_SEQUENCE', { ...prepared, sequence: 4n }],
    ['OTHER_HASH', { ...prepared, messageToSign: getOwnerChangeHash(change, { ...context, sequence: 4n }) }],
  ])('error: %s', (code, answer) => {
    expect(verifyOwnerChange(answer, change, context)).toMatchObject({ ok: false, code })
  })

  test.each(['module', 'account'] as const)('behavior: another %s has another hash', (field) => {
    const other = { ...context, [field]: '0x3000000000000000000000000000000000000003' as const }
    expect(verifyOwnerChange(prepared, change, other)).toMatchObject({ code: 'OTHER_HASH' })
  })
})

describe('verifyRecovery', () => {
  const newOwners = [eoa, passkey]
  const next = { ...context, number: 2n }
  const prepared = { sequence: 3n, number: 2n, newOwners, messageToSign: getRecoveryHash(newOwners, next) }

  test('default', () => {
    const verified = verifyRecovery(prepared, newOwners, next)
    expect(verified).toEqual({ ok: true, hash: prepared.messageToSign })
  })

  test.each([
    ['OTHER_OWNERS', { ...prepared, newOwners: [eoa] }],
    ['OTHER_OWNERS', { ...prepared, newOwners: [passkey, eoa] }],
    ['OTHER_SEQUENCE', { ...prepared, sequence: 4n }],
    ['OTHER_NUMBER', { ...prepared, number: 3n }],
    ['OTHER_HASH', { ...prepared, messageToSign: getRecoveryHash([eoa], next) }],
    ['OTHER_HASH', { ...prepared, messageToSign: getRecoveryHash(newOwners, { ...next, newThreshold: 2n }) }],
  ])('error: %s', (code, answer) => {
    expect(verifyRecovery(answer, newOwners, next)).toMatchObject({ ok: false, code })
  })
})
