import { purgeSponsorships } from '../domain/gas-policies/purge-sponsorships.ts'
import type { OperationFeatures } from '../domain/operations/operation-features.ts'
import { decodeSessionRevert } from '../domain/session-keys/decode-session-revert.ts'
import { orderNonces } from '../domain/smart-balance/orders/order-nonces.ts'
import { purgeOrders } from '../domain/smart-balance/orders/purge-orders.ts'

/** What the features of this service hold of operations. */
export const operationFeatures: OperationFeatures = {
  nonceHolders: [orderNonces],
  revertDecoders: [decodeSessionRevert],
  purgers: [purgeOrders, purgeSponsorships],
  references: ['order_operations', 'sponsorships'],
}
