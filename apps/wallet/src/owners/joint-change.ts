import { encodeOwnerChange } from '@lanyard/accounts'
import { stringToHex } from 'viem'
import type { SignableChange } from '../guardians/sign-owner-change.ts'
import type { OwnershipStatus, SignedChange } from '../guardians/use-ownership.ts'
import { signsHere } from '../signers/signer-kinds.ts'
import type { NetworkChange } from './owner-change.ts'
import type { Ownership } from './use-owners.ts'

/**
 * The networks that one signature changes: those on which the account has the module. None if the passkey of this sign-in does not
 * own the account on each of them: the change would wait without an end where it does not, and all later ones behind it.
 *
 * @param credentialId - the passkey of this sign-in, if it is known
 */
export function jointNetworks(
  { module, networks }: OwnershipStatus,
  { owners, down }: Pick<Ownership, 'owners' | 'down'>,
  credentialId: string | undefined,
): readonly number[] {
  if (!module) return []
  const enabled = networks.flatMap(({ network, enabled }) => (enabled ? [network] : []))
  const signsEverywhere = owners.some(
    (owner) =>
      (credentialId === undefined ? signsHere(owner.kind) : owner.credentialId === credentialId) &&
      enabled.every((chainId) => owner.chainIds.includes(chainId) || down.includes(chainId)),
  )
  return signsEverywhere ? enabled : []
}

/**
 * The same change, signed before and still on its way to a network that needs it: it is not signed twice.
 *
 * @param networks - the plan
 */
export function findSigned(
  { changes }: Pick<OwnershipStatus, 'changes'>,
  change: SignableChange,
  networks: readonly Pick<NetworkChange, 'chainId' | 'status'>[],
): SignedChange | undefined {
  const { kind, data } = encodeOwnerChange(change)
  const latest = changes.findLast((signed) => ownerKinds.includes(signed.kind))
  const isUnderWay = latest?.networks.some(
    ({ network, state }) =>
      state === 'pending' &&
      networks.some(({ chainId, status }) => chainId === network && status === 'pending'),
  )
  return latest?.kind === kind && latest.data === data && isUnderWay ? latest : undefined
}

const ownerKinds: readonly string[] = (['addOwner', 'removeOwner', 'replaceOwner'] as const).map((kind) =>
  stringToHex(kind, { size: 32 }),
)
