import { t } from '../i18n/t.ts'
import { passkey } from './passkey/passkey.ts'
import { recoveryKey } from './recovery-key/recovery-key.ts'
import type { ListedOwner, OwnerCandidate, SignerKind, StoredCandidate } from './signer-kind.ts'

/** The kinds of owners that sign, the simplest to add first. */
export const signerKinds: SignerKind[] = [passkey, recoveryKey]

const find = (kind: string): SignerKind | undefined => signerKinds.find((one) => one.kind === kind)

/** @throws TypeError for an owner that this wallet has added itself, and cannot know */
export function signerKindOf({ kind }: Pick<OwnerCandidate, 'kind'>): SignerKind {
  const found = find(kind)
  if (!found) throw new TypeError(`No kind of signer is called ${kind}`)
  return found
}

/** What an owner of the list is called. A contract acts by rules of its own. */
export const labelOf = (kind: string): string => find(kind)?.label ?? t('Contract')

/** Whether this wallet signs with owners of a kind. */
export const signsHere = (kind: string): boolean => find(kind)?.signsHere === true

/** Undefined for an owner that this browser cannot verify before it is added on another network. */
export const toCandidate = ({
  kind,
  ...owner
}: { readonly kind: string } & Pick<ListedOwner, 'address' | 'credentialId'>): OwnerCandidate | undefined =>
  find(kind)?.toCandidate(owner)

/** Undefined if what identifies it is no longer known. */
export function readCandidate(stored: StoredCandidate): OwnerCandidate | undefined {
  for (const kind of signerKinds) {
    const candidate = kind.readStored(stored)
    if (candidate) return candidate
  }
  return undefined
}
