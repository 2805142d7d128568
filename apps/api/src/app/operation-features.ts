import { purgeSponsorships } from '../domain/gas-policies/sponsorships.ts'
import type { OperationFeatures } from '../domain/operations/dependencies.ts'
import { ownerSigners } from '../domain/operations/signers/find-signer.ts'
import { sessionKey } from '../domain/session-keys/recognise-session-signature.ts'
import { decodeSessionRevert } from '../domain/session-keys/session-rejected.ts'
import { orderNonces, purgeOrders } from '../domain/smart-balance/orders/operation-hooks.ts'

/** What the features of this service hold of operations. */
export const operationFeatures: OperationFeatures = {
  signers: [...ownerSigners, sessionKey],
  nonceHolders: [orderNonces],
  revertDecoders: [decodeSessionRevert],
  purgers: [purgeOrders, purgeSponsorships],
  references: ['orders', 'order_operations', 'sponsorships'],
}
