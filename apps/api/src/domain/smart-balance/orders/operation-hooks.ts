import { unpackPaymasterAndData } from '@lanyard/accounts'
import {
  type Database,
  deleteOrders,
  isOrderHeld,
  isOrderNonceUsed,
  returnOrder,
  submitOrder,
} from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { decodePaymasterAndData } from '@lanyard/smart-balance'
import { expressionBuilder, sql } from 'kysely'
import { type Hex, isAddressEqual } from 'viem'
import {
  returnSponsorship,
  type SponsorshipServices,
  takeSponsorship,
} from '../../gas-policies/sponsorships.ts'
import type { PayerHooks } from '../../operations/build-request.ts'
import type { Purger } from '../../operations/dependencies.ts'
import type { NonceHolder } from '../../operations/nonces.ts'
import { purgeInBatches } from '../../operations/track/purge.ts'
import { requireStillPayable, tokenFeeValidUntil } from './token-fee.ts'

/**
 * Milliseconds that an order is kept after it was closed: orders that failed within a day count against an
 * account.
 */
const keepOrders = 24 * 60 * 60_000

/** Deletes orders that nobody signed in time. */
export const purgeOrders: Purger = (database, now) => {
  const before = new Date(now.getTime() - keepOrders)
  return purgeInBatches((limit) => deleteOrders(database, { before, limit }))
}

/** The lanes of open orders: a solution names its nonce before an operation is built with it. */
export const orderNonces: NonceHolder = ({ account, network, now }) => {
  const eb = expressionBuilder<Database, 'orders'>()
  // Workers record the order's outcome later, but its nonce is already used.
  return sql`select nonce_key from orders
    where account = ${account} and output_network = ${network} and state in ('RESERVED', 'SUBMITTED')
      and ${isOrderHeld(now)(eb)} and not ${isOrderNonceUsed(eb)}`
}

/** The expiry of the order through which SmartBalance pays; 0 when another payer pays. */
function orderValidUntil({ config }: Network, paymasterAndData: Hex): number {
  const paymaster = unpackPaymasterAndData(paymasterAndData)?.paymaster
  if (!paymaster || !config.smartBalance || !isAddressEqual(paymaster, config.smartBalance)) return 0
  const decoded = decodePaymasterAndData(paymasterAndData)
  return decoded.ok ? decoded.order.validUntil : 0
}

/** Keeps orders, and the budgets of policies, in step with the operations that they pay for. */
export const payerHooks = (services: SponsorshipServices): PayerHooks => ({
  async onSigned(transaction, row) {
    await submitOrder(transaction, row)
    await takeSponsorship(services, transaction, row)
  },
  async onUnsent(transaction, row) {
    await returnOrder(transaction, row)
    await returnSponsorship(transaction, row)
  },
  beforeSigned: requireStillPayable,
  validUntil: (network, paymasterAndData) =>
    orderValidUntil(network, paymasterAndData) || tokenFeeValidUntil(network, paymasterAndData),
})
