import { unpackPaymasterAndData } from '@lanyard/accounts'
import { returnOrder, submitOrder } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { decodePaymasterAndData } from '@lanyard/smart-balance'
import { type Hex, isAddressEqual } from 'viem'
import type { PolicyServices } from '../../gas-policies/require-policy.ts'
import { returnSponsorship, takeSponsorship } from '../../gas-policies/take-sponsorship.ts'
import type { PayerHooks } from '../../operations/payer.ts'

/** The expiry of the order through which SmartBalance pays; 0 when another payer pays. */
export function orderValidUntil({ config }: Network, paymasterAndData: Hex): number {
  const paymaster = unpackPaymasterAndData(paymasterAndData)?.paymaster
  if (!paymaster || !config.smartBalance || !isAddressEqual(paymaster, config.smartBalance)) return 0
  const decoded = decodePaymasterAndData(paymasterAndData)
  return decoded.ok ? decoded.order.validUntil : 0
}

/** Keeps orders, and the budgets of policies, in step with the operations that they pay for. */
export const payerHooks = (services: Omit<PolicyServices, 'database'>): PayerHooks => ({
  async onSigned(transaction, row) {
    await submitOrder(transaction, row)
    await takeSponsorship(services, transaction, row)
  },
  async onUnsent(transaction, row) {
    await returnOrder(transaction, row)
    await returnSponsorship(transaction, row)
  },
  validUntil: orderValidUntil,
})
