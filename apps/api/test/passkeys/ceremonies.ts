import type { CredentialRow } from '@lanyard/database'
import { bytesOfBase64Url, toUserHandle } from '../../src/domain/accounts/passkeys/encodings.ts'
import type { RelyingParty } from '../../src/domain/accounts/passkeys/relying-party.ts'
import { type Authenticator, encodeCbor } from './authenticator.ts'

/* Inputs to verify ceremonies without a service or a database. */

export const relyingParty: RelyingParty = {
  name: 'Lanyard',
  rpId: 'localhost',
  origins: ['http://localhost:3000'],
  apps: { ios: [], android: [] },
}
export const userId = '0b6c2f6e-52a1-4c39-9d5c-7d2c8f0e1a34'
export const challenge = Buffer.alloc(32, 0xc4).toString('base64url')

export const creation = {
  challenge,
  rp: { id: relyingParty.rpId },
  user: { id: Buffer.from(toUserHandle(userId)).toString('base64url') },
} as const
export const request = { challenge, rpId: relyingParty.rpId } as const

/** The database row of a registered passkey. */
export const rowOf = (passkey: Authenticator, changed: Partial<CredentialRow> = {}): CredentialRow => ({
  id: passkey.id,
  user_id: userId,
  public_key: encodeCbor(passkey.cosePublicKey()),
  signer: '0x01',
  verifiers: 0n,
  first_owner: true,
  label: 'First passkey',
  counter: 0,
  backup_eligible: false,
  backed_up: false,
  transports: ['internal'],
  aaguid: '00000000-0000-0000-0000-000000000000',
  created_at: new Date(0),
  last_used_at: null,
  ...changed,
})

/** The hex form of base64url bytes, for comparisons. */
export const hexOf = (base64url: string): string => Buffer.from(bytesOfBase64Url(base64url)).toString('hex')
