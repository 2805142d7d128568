import type { Call } from '@lanyard/accounts'
import type { Address } from 'viem'
import { isSponsorship } from '../order/is-sponsorship.ts'
import type { Order } from '../order/order.ts'
import { encodeClaim } from './encode-claim.ts'
import { type CosignedWithdrawal, encodeWithdraw } from './encode-withdraw.ts'

/**
 * The first calls of an operation that uses an order: the withdrawal, if any, then the claim, unless the
 * order is a sponsorship.
 */
export function encodeOrderCalls({
  smartBalance,
  order,
  nonce,
  withdrawal,
}: {
  readonly smartBalance: Address
  readonly order: { readonly claimAmount: Order['claimAmount']; readonly debits: readonly unknown[] }
  /** The whole nonce of the operation. */
  readonly nonce: bigint
  /** Absent: nothing is withdrawn. */
  readonly withdrawal?: CosignedWithdrawal | undefined
}): Call[] {
  return [
    ...(withdrawal ? [encodeWithdraw(smartBalance, withdrawal)] : []),
    ...(isSponsorship(order) ? [] : [encodeClaim(smartBalance, nonce)]),
  ]
}
