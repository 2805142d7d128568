import {
  type Call,
  defaultVerifiers,
  encodeAddOwner,
  encodeCreateSigner,
  encodeRemoveOwner,
} from '@lanyard/accounts'
import { endSessionsCall } from '@lanyard/session-keys'
import { encodeAddSigner, encodeRemoveSigner, signerId } from '@lanyard/smart-balance'
import { describe, expect, test } from 'vitest'
import type { OwnerCandidate } from '../signers/signer-kind.ts'
import { ownerAddress, verifyOwnerAddition, verifyOwnerRemoval } from './verify-owner-change.ts'

const account = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const thief = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const eoa: OwnerCandidate = { kind: 'eoa', address: friend }
/** The base point of P-256 (SEC 2 v2.0 §2.4.2), a key that is on the curve. */
const passkey: OwnerCandidate = {
  kind: 'passkey',
  credentialId: 'AQID',
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
  verifiers: defaultVerifiers,
}
const smartBalance = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const context = { account, smartBalance, sessionKeys: undefined } as const
const signers = [passkey]
const transfer: Call = { to: thief, value: 1n, data: '0x' }
const pinOf = (address: typeof friend | typeof thief) =>
  encodeAddSigner(smartBalance, signerId({ kind: 'eoa', address }))
const removal = (owner: typeof friend | typeof thief) =>
  encodeRemoveOwner({ account, owner, owners: [friend, thief, account] })

describe('verifyOwnerAddition', () => {
  const addition = encodeAddOwner({ account, owner: friend })
  const signer = encodeAddOwner({ account, owner: ownerAddress(passkey) })

  test('default', () => {
    expect(() => verifyOwnerAddition([addition], context, eoa)).not.toThrow()
    expect(() => verifyOwnerAddition([encodeCreateSigner(passkey), signer], context, passkey)).not.toThrow()
    expect(() => verifyOwnerAddition([signer], context, passkey)).not.toThrow()
  })

  test('behavior: accepts the pin of its key before or after the addition', () => {
    const pin = encodeAddSigner(smartBalance, signerId(passkey))
    for (const calls of [
      [encodeCreateSigner(passkey), signer, pin],
      [pin, encodeCreateSigner(passkey), signer],
    ])
      expect(() => verifyOwnerAddition(calls, context, passkey)).not.toThrow()
    expect(() => verifyOwnerAddition([addition, pinOf(friend)], context, eoa)).not.toThrow()
    expect(() =>
      verifyOwnerAddition([addition, pinOf(friend)], { ...context, smartBalance: undefined }, eoa),
    ).toThrow(expect.objectContaining({ code: 'CALLS_DIFFER' }))
  })

  test.each<[string, readonly Call[], OwnerCandidate]>([
    ['nothing', [], eoa],
    ['someone else', [encodeAddOwner({ account, owner: thief })], eoa],
    ['an extra call after it', [addition, transfer], eoa],
    ['an extra call before it', [transfer, addition], eoa],
    ["only a passkey's creation", [encodeCreateSigner(passkey)], passkey],
    ['another passkey', [encodeCreateSigner({ ...passkey, verifiers: 1n }), signer], passkey],
    ['another account', [encodeAddOwner({ account: thief, owner: friend })], eoa],
    ['a pin of someone else', [addition, pinOf(thief)], eoa],
    ['two pins', [addition, pinOf(friend), pinOf(friend)], eoa],
    ['only a pin', [pinOf(friend)], eoa],
    ['a pin at another contract', [addition, encodeAddSigner(thief, signerId(eoa))], eoa],
    ['an unpin', [addition, encodeRemoveSigner(smartBalance, signerId(passkey))], eoa],
  ])('error: CALLS_DIFFER for %s', (_, calls, candidate) => {
    expect(() => verifyOwnerAddition(calls, context, candidate)).toThrow(
      expect.objectContaining({ code: 'CALLS_DIFFER' }),
    )
  })
})

describe('verifyOwnerRemoval', () => {
  test('default', () => {
    expect(() => verifyOwnerRemoval([removal(thief)], context, thief, signers)).not.toThrow()
  })

  test('behavior: where sessions exist, it ends them, once', () => {
    const withSessions = { ...context, sessionKeys: thief } as const
    const verify = (...calls: Call[]) => verifyOwnerRemoval(calls, withSessions, thief, signers)
    const unpin = encodeRemoveSigner(smartBalance, signerId({ kind: 'eoa', address: thief }))
    expect(() => verify(removal(thief), endSessionsCall)).not.toThrow()
    expect(() => verify(removal(thief), unpin, endSessionsCall)).not.toThrow()
    for (const calls of [
      [removal(thief)],
      [removal(thief), endSessionsCall, endSessionsCall],
      [removal(thief), { ...endSessionsCall, to: thief }],
    ] as const)
      expect(() => verify(...calls)).toThrow(expect.objectContaining({ code: 'CALLS_DIFFER' }))
    expect(() => verifyOwnerRemoval([removal(thief), endSessionsCall], context, thief, signers)).toThrow()
  })

  test('behavior: accepts the unpin of its key', () => {
    const unpin = encodeRemoveSigner(smartBalance, signerId({ kind: 'eoa', address: thief }))
    expect(() => verifyOwnerRemoval([removal(thief), unpin], context, thief, signers)).not.toThrow()
    expect(() => verifyOwnerRemoval([unpin, removal(thief)], context, thief, signers)).not.toThrow()
  })

  test('behavior: accepts the unpin of a passkey, identified by its signer contract', () => {
    const owner = ownerAddress(passkey)
    const calls = (signer: OwnerCandidate) => [
      encodeRemoveOwner({ account, owner, owners: [friend, owner] }),
      encodeRemoveSigner(smartBalance, signerId(signer)),
    ]
    expect(() => verifyOwnerRemoval(calls(passkey), context, owner, signers)).not.toThrow()
    expect(() => verifyOwnerRemoval(calls({ ...passkey, x: 1n }), context, owner, signers)).toThrow(
      expect.objectContaining({ code: 'CALLS_DIFFER' }),
    )
    // Created elsewhere, so its key is unknown here.
    expect(() => verifyOwnerRemoval(calls(passkey), context, owner, [eoa])).not.toThrow()
    expect(() => verifyOwnerRemoval(calls(eoa), context, owner, [eoa])).toThrow(
      expect.objectContaining({ code: 'CALLS_DIFFER' }),
    )
  })

  test.each<[string, readonly Call[]]>([
    ['nothing', []],
    ['the unpin of another key', [removal(thief), encodeRemoveSigner(smartBalance, signerId(passkey))]],
    ['a new pin', [removal(thief), pinOf(thief)]],
    ['someone else', [removal(friend)]],
    ['an extra call after it', [removal(thief), transfer]],
    ['another call', [transfer]],
  ])('error: CALLS_DIFFER for %s', (_, calls) => {
    expect(() => verifyOwnerRemoval(calls, context, thief, signers)).toThrow(
      expect.objectContaining({ code: 'CALLS_DIFFER' }),
    )
  })
})
