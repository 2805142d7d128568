import { randomBytes } from 'node:crypto'
import type { reserveOrderRow } from '@lanyard/database'
import { type OrderPlan, signerId } from '@lanyard/smart-balance'
import { bytesToHex } from 'viem'
import type { NoncePosition } from '../../operations/lanes.ts'
import { reservationSeconds } from './reservation-time.ts'
import type { ReserveRequest } from './reserve-request.ts'

interface Decided {
  readonly plan: OrderPlan
  readonly position: NoncePosition
  /** wei */
  readonly gasBudget: bigint
  readonly now: Date
}

/** The row of a new reservation. */
export function toOrderRow(
  { wallet, network, type, signer }: ReserveRequest,
  { plan, position, gasBudget, now }: Decided,
): Parameters<typeof reserveOrderRow>[1] {
  return {
    order_id: bytesToHex(randomBytes(32)),
    account: wallet.address.toLowerCase(),
    output_network: network.chainId,
    type,
    amount: plan.amount,
    fee: plan.fee,
    total: plan.total,
    claim_amount: plan.claimAmount,
    withdrawal_amount: plan.withdrawal.amount,
    withdrawal_fee: plan.withdrawal.fee,
    nonce_key: position.key,
    nonce_sequence: position.sequence,
    signer_id: signerId(signer),
    gas_budget: gasBudget,
    reserved_at: now,
    expires_at: new Date(now.getTime() + reservationSeconds * 1000),
  }
}
