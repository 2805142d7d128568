import { LanyardError } from '@lanyard/contracts'
import type { CredentialRow } from '@lanyard/database'
import type { Address } from 'viem'
import { type CallerContext, requireUser } from '../accounts/callers/caller.ts'
import type { OwnedWallet } from '../accounts/owners/owned-wallet.ts'

/** The owner whose ownership changes. */
export type ChangedOwner =
  | { readonly kind: 'address'; readonly address: Address }
  | { readonly kind: 'passkey'; readonly credential: CredentialRow }

/** How a request names an owner: by exactly one of the two. */
type OwnerName =
  | { readonly ownerAddress: Address; readonly credentialId?: undefined }
  | { readonly credentialId: string; readonly ownerAddress?: undefined }

/**
 * Checks how a request names an owner. It reads nothing, so it comes before what does.
 *
 * @throws INVALID_INPUT unless exactly one is named
 */
export function toOwnerName({
  ownerAddress,
  credentialId,
}: {
  readonly ownerAddress?: Address | undefined
  readonly credentialId?: string | undefined
}): OwnerName {
  if (ownerAddress !== undefined && credentialId === undefined) return { ownerAddress }
  if (ownerAddress === undefined && credentialId !== undefined) return { credentialId }
  const message = 'Send exactly one of ownerAddress and credentialId'
  throw new LanyardError('INVALID_INPUT', { issues: [{ path: 'ownerAddress', message }] })
}

/**
 * Finds the owner that a request names. A passkey is private to its user, so naming one requires the user's
 * token. For other callers it does not exist.
 *
 * @throws UNAUTHORIZED, UNKNOWN_CREDENTIAL
 */
export async function findChangedOwner(
  context: CallerContext,
  { userId, credentials }: OwnedWallet,
  { ownerAddress, credentialId }: OwnerName,
): Promise<ChangedOwner> {
  if (ownerAddress !== undefined) return { kind: 'address', address: ownerAddress }
  const credential =
    (await requireUser(context)) === userId ? credentials.find(({ id }) => id === credentialId) : undefined
  if (!credential) throw new LanyardError('UNKNOWN_CREDENTIAL')
  return { kind: 'passkey', credential }
}
