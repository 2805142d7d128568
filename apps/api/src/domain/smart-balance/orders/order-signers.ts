import { eoaOf } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { OrderRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { type OrderSigner, signerId } from '@lanyard/smart-balance'
import type { Wallet } from '../../accounts/accounts/kind.ts'
import { type PasskeySigner, toPasskeyOwner } from '../../accounts/owners/describe-owners.ts'
import type { SmartBalanceServices } from '../model/services.ts'
import { findOrderSigners } from '../model/signers.ts'

/** An owner who can sign the operation, and the key by which SmartBalance identifies the owner. */
export interface OrderSignerCandidate {
  readonly key: OrderSigner
}

/**
 * Finds, among the owners who can sign this operation, the one that the order was reserved for: only this
 * signer is known to be pinned where the order is repaid from.
 *
 * @throws ORDER_MISMATCH
 */
export function requireOrderSigner<T extends OrderSignerCandidate>(
  { signer_id }: Pick<OrderRow, 'signer_id'>,
  signers: readonly T[],
): T {
  const signer = signers.find(({ key }) => signerId(key) === signer_id)
  if (signer) return signer
  throw new LanyardError('ORDER_MISMATCH', {
    message:
      'This order is for another owner of the wallet. EOAs build with /smart-account/transaction/build, passkeys with /v3/webauthn/transaction/generate-options.',
  })
}

/**
 * The EOAs that can sign for an account on a network, starting with the one that the account was created
 * with.
 *
 * @throws UNSUPPORTED_SIGNATURE_TYPE when there is none, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function findEoaSigners(
  { database }: Pick<SmartBalanceServices, 'database'>,
  network: Network,
  wallet: Wallet,
): Promise<readonly [OrderSignerCandidate, ...OrderSignerCandidate[]]> {
  const signers = await findOrderSigners(database, network, wallet)
  const [first, ...others] = signers.filter(eoaOf).map((key) => ({ key }))
  if (first) return [first, ...others]
  throw new LanyardError('UNSUPPORTED_SIGNATURE_TYPE', {
    message: `No EOA owns this wallet on ${network.config.name}.`,
  })
}

/** A passkey that owns the account on a network, with its key as SmartBalance pins it. */
interface PasskeyCandidate extends OrderSignerCandidate {
  readonly key: OrderSigner
  readonly signer: PasskeySigner
}

/**
 * Passkeys as signers of an order. An order that names no signer is for the first one: the passkey that the
 * account was created with, which is pinned first, if it still owns the account.
 *
 * @returns undefined when there are no passkeys
 */
export function toOrderCandidates(
  signers: readonly PasskeySigner[],
): readonly [PasskeyCandidate, ...PasskeyCandidate[]] | undefined {
  const [first, ...others] = signers
    .toSorted((a, b) => Number(b.credential.first_owner) - Number(a.credential.first_owner))
    .map((signer) => ({ key: toPasskeyOwner(signer.credential), signer }))
  return first && [first, ...others]
}
