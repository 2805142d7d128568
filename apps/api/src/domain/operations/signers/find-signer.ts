import { type AccountKind, LanyardError } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import type { Hex } from 'viem'
import { type AnyWallet, accountKindOf, requireContractAccount } from '../../accounts/accounts/wallet.ts'
import type { OperationFeatures } from '../dependencies.ts'
import { delegatedEoa, eoa } from './eoa.ts'
import { passkey } from './passkey.ts'
import type { OperationSigner, Signer } from './signer.ts'

type Registry = Pick<OperationFeatures, 'signers'>

/** The kind of signer that a row or a request names. */
export function signerOfMode({ signers }: Registry, signMode: OperationRow['sign_mode']): Signer {
  const signer = signers.find((candidate) => candidate.signMode === signMode)
  if (!signer) throw new LanyardError('INTERNAL', { cause: `no signer is registered for ${signMode}` })
  return signer
}

/** The kind of signer whose form a signature has, or a stub; undefined if it has none. */
export const signerOfForm = ({ signers }: Registry, signature: Hex): Signer | undefined =>
  signers.find(({ hasForm }) => hasForm?.(signature))

/**
 * The kind of signer of an account that a request names.
 *
 * @throws NOT_SUPPORTED_BY_ACCOUNT for a session key of an EOA that is the account itself
 */
export function signerOfAccount(
  registry: Registry,
  wallet: AnyWallet,
  signMode: OperationRow['sign_mode'],
): Signer {
  const only = onlySigner(wallet)
  if (only?.signMode === signMode) return only
  requireContractAccount(wallet, 'Sign with the EOA.')
  return signerOfMode(registry, signMode)
}

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
