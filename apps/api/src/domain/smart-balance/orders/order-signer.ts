import { LanyardError } from '@lanyard/contracts'
import type { OrderRow } from '@lanyard/database'
import { type OrderSigner, signerId } from '@lanyard/smart-balance'

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
