import { LanyardError } from '@lanyard/contracts'
import type { OrderRow } from '@lanyard/database'
import { type OrderSigner, signerId } from '@lanyard/smart-balance'

/** One who can sign the operation, and the key by which SmartBalance knows them. */
export interface OrderSignerCandidate {
  readonly key: OrderSigner
}

/**
 * Of those who can sign this operation, the one whose signature the order was reserved for: it alone is pinned where
 * the order is repaid from.
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
      'This order is for another owner of the wallet: EOAs build by /smart-account/transaction/build, passkeys by /v3/webauthn/transaction/generate-options.',
  })
}
