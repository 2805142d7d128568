import type { Owner, Ownership } from './use-owners.ts'

/**
 * What a person loses with an owner.
 *
 * - `in-use`: it is the passkey of this sign-in
 * - `last-passkey`: only addresses are left, and this wallet signs with passkeys only
 * - `last-address`: only passkeys are left, which work at this site alone
 */
export type RemovalRisk = 'in-use' | 'last-passkey' | 'last-address'

/**
 * @param credentialId - the passkey of this sign-in, if it is known
 * @param successor - the kind of the owner that takes its place
 */
export function removalRisks(
  owner: Owner,
  { owners }: Pick<Ownership, 'owners'>,
  credentialId: string | undefined,
  successor?: Owner['kind'],
): readonly RemovalRisk[] {
  const others = owners.filter(({ address }) => address !== owner.address)
  const isLast = (kind: Owner['kind']) =>
    owner.kind === kind && successor !== kind && !others.some((other) => other.kind === kind)
  return [
    ...(credentialId !== undefined && owner.credentialId === credentialId ? ['in-use' as const] : []),
    ...(isLast('passkey') ? ['last-passkey' as const] : []),
    ...(isLast('eoa') ? ['last-address' as const] : []),
  ]
}
