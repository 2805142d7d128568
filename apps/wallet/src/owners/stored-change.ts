import { defaultVerifiers } from '@lanyard/accounts'
import { type Address, isAddress } from 'viem'
import { knownPasskey } from '../sign-in/known-passkey.ts'
import type { OwnerChange } from './owner-change.ts'

/** An owner change as this tab stores it, so that a reload continues it. */
export interface StoredChange {
  readonly kind: '' | 'add' | 'remove'
  /** The owner's address. Empty for a new passkey, which is identified by its credential. */
  readonly address: string
  readonly credentialId: string
}

export const noChange: StoredChange = { kind: '', address: '', credentialId: '' }

/** Stores only identifiers. A passkey's key is looked up again in this browser's storage. */
export function storeChange(change: OwnerChange | undefined): StoredChange {
  if (!change) return noChange
  if (change.kind === 'remove') return { kind: 'remove', address: change.owner, credentialId: '' }
  const { candidate } = change
  return candidate.kind === 'eoa'
    ? { kind: 'add', address: candidate.address, credentialId: '' }
    : { kind: 'add', address: '', credentialId: candidate.credentialId }
}

/** Undefined if no change is in progress, or the stored one cannot be read. */
export function readStoredChange({ kind, address, credentialId }: StoredChange): OwnerChange | undefined {
  if (kind === 'remove') return isAddress(address) ? { kind, owner: address } : undefined
  if (kind !== 'add') return undefined
  if (isAddress(address)) return { kind, candidate: { kind: 'eoa', address: address as Address } }
  const key = knownPasskey(credentialId)
  return key && { kind, candidate: { kind: 'passkey', credentialId, ...key, verifiers: defaultVerifiers } }
}
