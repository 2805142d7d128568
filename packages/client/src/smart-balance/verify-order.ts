import type { AccountDeployment, UserOperation } from '@lanyard/accounts'
import {
  decodePaymasterAndData,
  isSponsorship,
  type OrderField,
  verifyOrderOperation,
} from '@lanyard/smart-balance'
import type { Hash } from 'viem'
import { BuildVerificationError } from '../verification-error.ts'
import type { ExpectedOrderOperation } from './order-expectation.ts'
import type { VerifiedSolution } from './verify-solution.ts'

/** The order that a verified operation carries. */
export interface VerifiedOrder extends VerifiedSolution {
  /** Identifies the order on every network. */
  readonly orderHash: Hash
  /** Unix seconds: the last second in which the operation can be included. */
  readonly validUntil: number
}

/** The field to report for each mismatch. */
const places: Readonly<Partial<Record<OrderField, string>>> = {
  paymasterAndData: 'userOp.paymasterAndData',
  callData: 'userOp.callData',
  withdrawal: 'userOp.callData',
  claim: 'userOp.callData',
}

/**
 * Verifies that the operation contains exactly the reserved order.
 *
 * @throws BuildVerificationError naming the field, e.g. `userOp.paymasterAndData.debits`
 */
export function verifyOrder(
  operation: UserOperation,
  { solution, signer, now = Math.floor(Date.now() / 1000), clockSkew }: ExpectedOrderOperation,
  chainId: number,
  deployment: AccountDeployment,
): VerifiedOrder {
  const { smartBalance } = solution
  const verified = verifyOrderOperation({
    operation,
    expected: solution,
    chainId,
    smartBalance,
    signer,
    now,
    clockSkew,
    deployment,
  })
  if (!verified.ok) {
    const place = places[verified.field] ?? `userOp.paymasterAndData.${verified.field}`
    throw new BuildVerificationError(place, verified.message)
  }
  return { ...solution, orderHash: verified.orderHash, validUntil: verified.order.validUntil }
}

/**
 * Rejects an order that was not requested. If the service may choose the paymaster, it could choose one that
 * debits the account's deposits elsewhere. A request for sponsored gas must not sign any debits.
 *
 * @throws BuildVerificationError
 */
export function rejectOrder({ paymasterAndData }: UserOperation): void {
  const decoded = decodePaymasterAndData(paymasterAndData)
  if (decoded.ok && !isSponsorship(decoded.order))
    throw new BuildVerificationError('userOp.paymasterAndData', 'it has an order that was not requested')
}
