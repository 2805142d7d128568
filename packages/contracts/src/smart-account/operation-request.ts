import { z } from 'zod'
import type { ErrorCode } from '../errors/error-table.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hash } from '../primitives/hex.ts'
import { network } from '../primitives/network.ts'
import { orderData } from '../smart-balance/order-data.ts'
import { solution } from '../smart-balance/solution.ts'
import { feeToken, tokenFee } from './fee-token.ts'
import { paymasterData } from './paymaster-data.ts'
import { transactionDetails } from './transaction-detail.ts'

/** What an operation does, regardless of who signs it. */
export const operationRequest = z.object({
  network,
  transactionDetails,
  paymasterData: paymasterData.optional(),
  feeToken: feeToken.optional(),
  replaces: hash.optional().meta({
    description:
      'The userOpHash of an operation that is not yet included. This operation takes over its nonce.',
  }),
  orderData: orderData.optional(),
  allowRevert: z.boolean().optional().meta({ description: 'Build even if a call would revert now.' }),
})

/** The validity period of an operation. */
export const operationValidity = z.object({
  validAfter: decimalOutput.optional().meta({ description: 'Unix seconds, if not zero.' }),
  validUntil: decimalOutput.optional().meta({ description: 'Unix seconds, if not zero.' }),
})

/** Response members in addition to the operation. */
export const operationTerms = operationValidity.extend({
  tokenFee: tokenFee.optional(),
  order: solution.optional().meta({ description: 'What `orderData` reserved.' }),
})

/** Errors of building an operation, for every kind of signer. */
export const buildErrors = [
  'UNKNOWN_NETWORK',
  'UNSUPPORTED_SIGNATURE_TYPE',
  'NOTHING_TO_DO',
  'EXECUTION_REVERTED',
  'INSUFFICIENT_FUNDS',
  'PAYMASTER_REFUSED',
  'SPONSORSHIP_SUSPENDED',
  'PAYMASTER_FAILED',
  'NO_SMART_BALANCE',
  'INSUFFICIENT_LIQUIDITY',
  'LIMIT_BREACHED',
  'AMOUNT_REFUSED',
  'GAS_BUDGET_EXCEEDED',
  'ORDER_MISMATCH',
  'UNKNOWN_ORDER',
  'ORDER_OPEN',
  'ORDER_EXPIRED',
  'OPERATION_REFUSED',
  'OPERATION_IN_FLIGHT',
  'LANES_EXHAUSTED',
  'NOT_REPLACEABLE',
  'TOO_MANY_BUILDS',
  'NETWORK_FAILED',
  'NETWORK_UNAVAILABLE',
  'NETWORK_UNCONFIRMED',
  'BUNDLER_FAILED',
  'BUNDLER_UNAVAILABLE',
  'SIGNER_FAILED',
  'SIGNER_UNAVAILABLE',
  'SCREENING_DENIED',
  'SCREENING_HELD',
  'SCREENING_UNAVAILABLE',
] as const satisfies readonly ErrorCode[]

/** Errors of sending or including a signed operation, for every kind of signer. */
export const submitErrors = [
  'INVALID_SIGNATURE',
  'INSUFFICIENT_FUNDS',
  'FEE_TOO_LOW',
  'PAYMASTER_REFUSED',
  'GAS_OWED',
  'SCREENING_DENIED',
  'SCREENING_HELD',
  'SCREENING_UNAVAILABLE',
  'SPONSORSHIP_SUSPENDED',
  'PAYMASTER_FAILED',
  'OPERATION_REFUSED',
  'OPERATION_IN_FLIGHT',
  'TOO_MANY_OPERATIONS',
  'REBUILD',
  'NETWORK_FAILED',
  'NETWORK_UNAVAILABLE',
  'NETWORK_UNCONFIRMED',
  'BUNDLER_FAILED',
  'BUNDLER_UNAVAILABLE',
  'INCLUSION_TIMEOUT',
] as const satisfies readonly ErrorCode[]
