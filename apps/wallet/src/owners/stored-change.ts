import { isAddress } from 'viem'
import type { StoredCandidate } from '../signers/signer-kind.ts'
import { readCandidate, signerKindOf } from '../signers/signer-kinds.ts'
import type { OwnerChange } from './owner-change.ts'

/** An owner change as this tab stores it, so that a reload continues it. */
export interface StoredChange extends StoredCandidate {
  readonly kind: '' | 'add' | 'remove' | 'replace'
  /** The owner whose place it takes. */
  readonly replaced?: string
}

export const noChange: StoredChange = { kind: '', address: '', credentialId: '' }

/** Stores only identifiers. A passkey's key is looked up again in this browser's storage. */
export function storeChange(change: OwnerChange | undefined): StoredChange {
  if (!change) return noChange
  if (change.kind === 'remove') return { kind: 'remove', address: change.owner, credentialId: '' }
  return {
    ...signerKindOf(change.candidate).store(change.candidate),
    ...(change.kind === 'add' ? { kind: 'add' } : { kind: 'replace', replaced: change.owner }),
  }
}

/** Undefined if no change is in progress, or the stored one cannot be read. */
export function readStoredChange({ kind, replaced = '', ...stored }: StoredChange): OwnerChange | undefined {
  if (kind === 'remove') return isAddress(stored.address) ? { kind, owner: stored.address } : undefined
  const candidate = readCandidate(stored)
  if (kind === '' || !candidate) return undefined
  if (kind === 'add') return { kind, candidate }
  return isAddress(replaced) ? { kind, owner: replaced, candidate } : undefined
}
