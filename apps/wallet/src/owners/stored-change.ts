import { defaultVerifiers } from '@lanyard/accounts'
import { type Address, isAddress } from 'viem'
import { knownPasskey } from '../session/known-passkey.ts'
import type { OwnerChange } from './owner-change.ts'

/** A change of owners as this tab keeps it, so that a reload goes on where it was. */
export interface StoredChange {
  readonly kind: '' | 'add' | 'remove'
  /** Of the owner; empty for a passkey that is added, which its credential names. */
  readonly address: string
  readonly credentialId: string
}

export const noChange: StoredChange = { kind: '', address: '', credentialId: '' }

/** Only names: a passkey's key is looked up again where this browser keeps it. */
export function storeChange(change: OwnerChange | undefined): StoredChange {
  if (!change) return noChange
  if (change.kind === 'remove') return { kind: 'remove', address: change.owner, credentialId: '' }
  const { candidate } = change
  return candidate.kind === 'eoa'
    ? { kind: 'add', address: candidate.address, credentialId: '' }
    : { kind: 'add', address: '', credentialId: candidate.credentialId }
}

/** Undefined where nothing is under way, or what is kept is no change any more. */
export function readStoredChange({ kind, address, credentialId }: StoredChange): OwnerChange | undefined {
  if (kind === 'remove') return isAddress(address) ? { kind, owner: address } : undefined
  if (kind !== 'add') return undefined
  if (isAddress(address)) return { kind, candidate: { kind: 'eoa', address: address as Address } }
  const key = knownPasskey(credentialId)
  return key && { kind, candidate: { kind: 'passkey', credentialId, ...key, verifiers: defaultVerifiers } }
}
