import { t } from '../i18n/t.ts'
import { signerKinds } from '../signers/signer-kinds.ts'
import type { Owner, Ownership } from './use-owners.ts'

/** What a person loses with an owner. */
export interface RemovalRisk {
  readonly title: string
  readonly text: string
}

const inUse: RemovalRisk = {
  title: t('You signed in with this passkey.'),
  text: t(
    'Once it is removed, it no longer opens this account. Make sure that you can sign in with another owner first.',
  ),
}

/**
 * @param credentialId - the passkey of this sign-in, if it is known
 * @param successor - the kind of the owner that takes its place
 */
export function removalRisks(
  owner: Owner,
  { owners }: Pick<Ownership, 'owners'>,
  credentialId: string | undefined,
  successor?: string,
): readonly RemovalRisk[] {
  const isLast =
    successor !== owner.kind &&
    !owners.some(({ address, kind }) => address !== owner.address && kind === owner.kind)
  const lastOne = isLast ? signerKinds.find(({ kind }) => kind === owner.kind)?.lastOne : undefined
  const isInUse = credentialId !== undefined && owner.credentialId === credentialId
  return [isInUse ? inUse : undefined, lastOne].filter((risk) => risk !== undefined)
}
