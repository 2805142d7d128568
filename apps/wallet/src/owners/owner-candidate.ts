import { defaultVerifiers, type EoaOwner, type PasskeyOwner } from '@lanyard/accounts'
import type { Hex } from 'viem'
import { knownPasskey } from '../sign-in/known-passkey.ts'
import type { Owner } from './use-owners.ts'

/** The owner to be added. For a passkey, the key as this browser saw it at registration. */
export type OwnerCandidate = AddedKey | (PasskeyOwner & { readonly credentialId: string })

interface AddedKey extends EoaOwner {
  /** The key's signature that it may own the account; undefined for a contract. */
  readonly consent?: Hex | undefined
}

/** Undefined for a passkey that this browser did not create: its key could not be verified before signing. */
export function toCandidate({ kind, address, credentialId }: Owner): OwnerCandidate | undefined {
  if (kind === 'eoa') return { kind, address }
  const publicKey = credentialId === undefined ? undefined : knownPasskey(credentialId)
  if (kind !== 'passkey' || credentialId === undefined || !publicKey) return undefined
  return { kind, credentialId, ...publicKey, verifiers: defaultVerifiers }
}
