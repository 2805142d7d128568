import { defaultVerifiers, type EoaOwner, type PasskeyOwner } from '@lanyard/accounts'
import { knownPasskey } from '../session/known-passkey.ts'
import type { Owner } from './use-owners.ts'

/** Who becomes an owner. For a passkey, its key as this browser saw it when it was made. */
export type OwnerCandidate = EoaOwner | (PasskeyOwner & { readonly credentialId: string })

/** Undefined for a passkey that this browser did not make: its key could not be checked before signing. */
export function toCandidate({ kind, address, credentialId }: Owner): OwnerCandidate | undefined {
  if (kind === 'eoa') return { kind, address }
  const publicKey = credentialId === undefined ? undefined : knownPasskey(credentialId)
  if (kind !== 'passkey' || credentialId === undefined || !publicKey) return undefined
  return { kind, credentialId, ...publicKey, verifiers: defaultVerifiers }
}
