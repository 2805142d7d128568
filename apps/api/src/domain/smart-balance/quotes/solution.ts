import type { EndpointResult, endpoints } from '@lanyard/contracts'
import type { OrderDebitRow, OrderRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import {
  type CosignedWithdrawal,
  encodeClaim,
  encodeOrderMarker,
  encodeWithdraw,
} from '@lanyard/smart-balance'
import { getAddress, type Hex } from 'viem'
import { toNonce } from '../../operations/nonces.ts'
import { getSmartBalance } from '../model/get-smart-balance.ts'

export type Solution = EndpointResult<typeof endpoints.smartBalance.computeSolution>

/** A reservation in the form that callers receive. */
export function toSolution(
  network: Network,
  order: OrderRow,
  debits: readonly OrderDebitRow[],
  withdrawal: CosignedWithdrawal | undefined,
): Solution {
  const { address, token } = getSmartBalance(network)
  const orderId = order.order_id as Hex // the column holds 0x and 64 digits
  // A sponsorship has nothing to claim; with a debit, the claim must be called even when it is 0.
  const claims = order.claim_amount > 0n || debits.length > 0
  const nonce = toNonce({ key: order.nonce_key, sequence: order.nonce_sequence })
  const call = (encodedData: Hex) => ({ encodedData, targetContractAddress: getAddress(address) })
  return {
    withdrawalPlan: { network: network.chainId, amount: String(order.withdrawal_amount) },
    tokenToClaim: { address: getAddress(token.address), amount: String(order.claim_amount) },
    transactions: {
      claim: call(claims ? encodeClaim(address, nonce).data : '0x'),
      withdrawal: call(withdrawal ? encodeWithdraw(address, withdrawal).data : '0x'),
    },
    signatures: {
      paymaster: encodeOrderMarker(address, orderId),
      withdrawal: withdrawal?.signature ?? '0x',
    },
    orderId,
    debits: debits.map((debit) => ({ network: debit.network, amount: String(debit.amount) })),
    fee: String(order.fee),
    gasBudget: String(order.gas_budget),
    expiresAt: order.expires_at.toISOString(),
  }
}
