import { unpackPaymasterAndData } from '@lanyard/accounts'
import { isTokenPaymaster } from '@lanyard/bundler'
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

/** The contract of ours that pays for an operation; undefined when another payer pays. */
function ownPaymasterOf(
  { config }: Network,
  paymasterAndData: Hex,
): 'SmartBalance' | 'TokenPaymaster' | undefined {
  const paymaster = unpackPaymasterAndData(paymasterAndData)?.paymaster
  if (!paymaster || !config.smartBalance) return undefined
  if (isAddressEqual(paymaster, config.smartBalance)) return 'SmartBalance'
  return isTokenPaymaster(config, paymaster) ? 'TokenPaymaster' : undefined
}

/** The expiry of what the operator signed for an operation; 0 when another payer pays. */
function payerValidUntil(network: Network, paymasterAndData: Hex): number {
  const payer = ownPaymasterOf(network, paymasterAndData)
  if (payer === 'TokenPaymaster') return tokenFeeValidUntil(network, paymasterAndData)
  const decoded = payer && decodePaymasterAndData(paymasterAndData)
  return decoded?.ok ? decoded.order.validUntil : 0
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
  async beforeSigned(network, operation) {
    if (ownPaymasterOf(network, operation.paymasterAndData) === 'TokenPaymaster')
      await requireStillPayable(network, operation)
  },
  validUntil: payerValidUntil,
})
