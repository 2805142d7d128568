import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hash } from '../primitives/hex.ts'
import { network } from '../primitives/network.ts'
import { username } from '../primitives/username.ts'
import { paymasterData } from '../smart-account/paymaster-data.ts'
import { transactionDetails } from '../smart-account/transaction-detail.ts'
import { userOp } from '../smart-account/user-op.ts'
import { orderData } from '../smart-balance/order-data.ts'
import { solution } from '../smart-balance/solution.ts'
import { requestOptions } from './options.ts'

export const transactionOptions = endpoint({
  method: 'POST',
  path: '/v3/webauthn/transaction/generate-options',
  tag: 'Passkey accounts',
  summary: 'Build a user operation for a passkey to sign',
  description: 'The challenge is the SafeOp hash of exactly these calls.',
  body: z.object({
    username,
    transactionDetails,
    network,
    paymasterData: paymasterData.optional(),
    replaces: hash
      .optional()
      .meta({ description: 'The userOpHash of an unresolved operation whose nonce this one takes over.' }),
    orderData: orderData.optional(),
    allowRevert: z
      .boolean()
      .optional()
      .meta({ description: 'Build even though a call would revert at this moment.' }),
  }),
  output: z.object({
    ...requestOptions.shape,
    userOp: userOp.meta({ description: 'What the challenge is the hash of, so that a client can check it.' }),
    validAfter: decimalOutput.optional().meta({ description: 'Unix seconds, when not zero.' }),
    validUntil: decimalOutput.optional().meta({ description: 'Unix seconds, when not zero.' }),
    order: solution.optional().meta({ description: 'What `orderData` reserved.' }),
  }),
  errors: [
    'UNKNOWN_USER',
    'UNKNOWN_NETWORK',
    'UNSUPPORTED_SIGNATURE_TYPE',
    'NOTHING_TO_DO',
    'EXECUTION_REVERTED',
    'INSUFFICIENT_FUNDS',
    'PAYMASTER_REFUSED',
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
    'NETWORK_FAILED',
    'NETWORK_UNAVAILABLE',
    'BUNDLER_FAILED',
    'BUNDLER_UNAVAILABLE',
    'SIGNER_FAILED',
    'SIGNER_UNAVAILABLE',
  ],
})
