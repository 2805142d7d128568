import { LanyardError } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import type { Hex } from 'viem'
import { type AnyWallet, requireSafe } from '../../accounts/accounts/wallet.ts'
import type { OperationFeatures } from '../operation-features.ts'
import { onlySigner } from './owner-signers.ts'
import type { Signer } from './signer.ts'

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
  requireSafe(wallet, 'Sign with the EOA.')
  return signerOfMode(registry, signMode)
}
