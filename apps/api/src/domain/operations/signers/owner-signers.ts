import { type AccountKind, LanyardError } from '@lanyard/contracts'
import { type AnyWallet, accountKindOf } from '../../accounts/accounts/wallet.ts'
import { delegatedEoa } from '../eip7702/delegated-eoa.ts'
import type { OperationSigner } from '../operation-signer.ts'
import { eoa } from './eoa.ts'
import { passkey } from './passkey.ts'
import type { Signer } from './signer.ts'

/** The kinds of owners that an account can have. */
export const ownerSigners: readonly Signer[] = [eoa, passkey]

/** The signers of kinds of accounts that have only one, whatever its signature looks like. */
const onlySigners: Partial<Record<AccountKind, Signer>> = { eip7702: delegatedEoa }

/** The signer of an account whose kind has only one; undefined for an account with owners of several kinds. */
export const onlySigner = (wallet: AnyWallet): Signer | undefined => onlySigners[accountKindOf(wallet)]

/** Builds for the owner that the account was created with. */
export function firstOwnerSigner(wallet: AnyWallet): OperationSigner {
  const only = onlySigner(wallet)
  for (const { ofFirstOwner } of only ? [only] : ownerSigners) {
    const signer = ofFirstOwner?.(wallet)
    if (signer) return signer
  }
  throw new LanyardError('INTERNAL', { cause: `an owner of unknown kind: ${wallet.owner.kind}` })
}
