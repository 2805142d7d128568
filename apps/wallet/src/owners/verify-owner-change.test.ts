import {
  type Call,
  defaultVerifiers,
  encodeAddOwner,
  encodeCreateSigner,
  encodeRemoveOwner,
} from '@lanyard/accounts'
import { describe, expect, test } from 'vitest'
import type { OwnerCandidate } from './owner-candidate.ts'
import { ownerAddress, verifyOwnerAddition, verifyOwnerRemoval } from './verify-owner-change.ts'

const account = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const thief = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const eoa: OwnerCandidate = { kind: 'eoa', address: friend }
/** The base point of P-256 (SEC 2 v2.0 §2.4.2): a key that is on the curve. */
const passkey: OwnerCandidate = {
  kind: 'passkey',
  credentialId: 'AQID',
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
  verifiers: defaultVerifiers,
}
const transfer: Call = { to: thief, value: 1n, data: '0x' }
const removal = (owner: typeof friend | typeof thief) =>
  encodeRemoveOwner({ account, owner, owners: [friend, thief, account] })

describe('verifyOwnerAddition', () => {
  const addition = encodeAddOwner({ account, owner: friend })
  const signer = encodeAddOwner({ account, owner: ownerAddress(passkey) })

  test('default', () => {
    expect(() => verifyOwnerAddition([addition], account, eoa)).not.toThrow()
    expect(() => verifyOwnerAddition([encodeCreateSigner(passkey), signer], account, passkey)).not.toThrow()
    expect(() => verifyOwnerAddition([signer], account, passkey)).not.toThrow()
  })

  test.each<[string, readonly Call[], OwnerCandidate]>([
    ['nothing', [], eoa],
    ['somebody else', [encodeAddOwner({ account, owner: thief })], eoa],
    ['something besides', [addition, transfer], eoa],
    ['something before', [transfer, addition], eoa],
    ['a passkey’s creation alone', [encodeCreateSigner(passkey)], passkey],
    ['another passkey', [encodeCreateSigner({ ...passkey, verifiers: 1n }), signer], passkey],
    ['another account', [encodeAddOwner({ account: thief, owner: friend })], eoa],
  ])('error: CALLS_DIFFER for %s', (_, calls, candidate) => {
    expect(() => verifyOwnerAddition(calls, account, candidate)).toThrow(
      expect.objectContaining({ code: 'CALLS_DIFFER' }),
    )
  })
})

describe('verifyOwnerRemoval', () => {
  test('default', () => {
    expect(() => verifyOwnerRemoval([removal(thief)], account, thief)).not.toThrow()
  })

  test.each<[string, readonly Call[]]>([
    ['nothing', []],
    ['somebody else', [removal(friend)]],
    ['something besides', [removal(thief), transfer]],
    ['something else', [transfer]],
  ])('error: CALLS_DIFFER for %s', (_, calls) => {
    expect(() => verifyOwnerRemoval(calls, account, thief)).toThrow(
      expect.objectContaining({ code: 'CALLS_DIFFER' }),
    )
  })
})
