import { defaultVerifiers } from '@lanyard/accounts'
import { type Address, isAddress, isHex } from 'viem'
import { knownPasskey } from '../sign-in/known-passkey.ts'
import type { OwnerCandidate } from './owner-candidate.ts'
import type { OwnerChange } from './owner-change.ts'

/** An owner change as this tab stores it, so that a reload continues it. */
export interface StoredChange {
  readonly kind: '' | 'add' | 'remove' | 'replace'
  /** The owner's address. Empty for a new passkey, which is identified by its credential. */
  readonly address: string
  readonly credentialId: string
  /** The signature of an added key. */
  readonly consent?: string
  /** The owner whose place it takes. */
  readonly replaced?: string
}

export const noChange: StoredChange = { kind: '', address: '', credentialId: '' }

/** Stores only identifiers. A passkey's key is looked up again in this browser's storage. */
export function storeChange(change: OwnerChange | undefined): StoredChange {
  if (!change) return noChange
  if (change.kind === 'remove') return { kind: 'remove', address: change.owner, credentialId: '' }
  const { candidate } = change
  const named =
    candidate.kind === 'eoa'
      ? {
          address: candidate.address,
          credentialId: '',
          ...(candidate.consent && { consent: candidate.consent }),
        }
      : { address: '', credentialId: candidate.credentialId }
  return {
    ...named,
    ...(change.kind === 'add' ? { kind: 'add' } : { kind: 'replace', replaced: change.owner }),
  }
}

/** Undefined if no change is in progress, or the stored one cannot be read. */
export function readStoredChange({
  kind,
  address,
  credentialId,
  consent,
  replaced = '',
}: StoredChange): OwnerChange | undefined {
  if (kind === 'remove') return isAddress(address) ? { kind, owner: address } : undefined
  const candidate = readCandidate({ address, credentialId, ...(consent !== undefined && { consent }) })
  if (kind === '' || !candidate) return undefined
  if (kind === 'add') return { kind, candidate }
  return isAddress(replaced) ? { kind, owner: replaced, candidate } : undefined
}

function readCandidate({
  address,
  credentialId,
  consent,
}: Pick<StoredChange, 'address' | 'credentialId' | 'consent'>): OwnerCandidate | undefined {
  if (isAddress(address)) {
    const signature = isHex(consent) ? { consent } : {}
    return { kind: 'eoa', address: address as Address, ...signature }
  }
  const key = knownPasskey(credentialId)
  return key && { kind: 'passkey', credentialId, ...key, verifiers: defaultVerifiers }
}
