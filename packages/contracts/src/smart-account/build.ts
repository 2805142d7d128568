import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hash, hexOutput } from '../primitives/hex.ts'
import { network } from '../primitives/network.ts'
import { sessionKey } from '../session-key/session-key.ts'
import { orderData } from '../smart-balance/order-data.ts'
import { solution } from '../smart-balance/solution.ts'
import { paymasterData } from './paymaster-data.ts'
import { signMode, signModes } from './sign-mode.ts'
import { transactionDetails } from './transaction-detail.ts'
import { userOp } from './user-op.ts'
import { walletAddress } from './wallet.ts'

export const build = endpoint({
  method: 'POST',
  path: '/smart-account/transaction/build',
  tag: 'EOA smart accounts',
  summary: 'Build a user operation to sign',
  description:
    'Simulates the calls, estimates gas and reserves a nonce for ten minutes. Sign the 32 bytes of `messageToSign` and submit the signature.',
  body: z.object({
    network,
    walletAddress,
    transactionDetails,
    paymasterData: paymasterData.optional(),
    signMode: signMode.optional(),
    sessionKey: sessionKey
      .optional()
      .meta({ description: 'With signMode `SESSION_KEY`: whose session acts.' }),
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
    userOp,
    messageToSign: hexOutput.meta({ description: 'The SafeOp hash: 32 bytes.' }),
    signMode: z.enum(signModes),
    validAfter: decimalOutput.optional().meta({ description: 'Unix seconds, when not zero.' }),
    validUntil: decimalOutput.optional().meta({ description: 'Unix seconds, when not zero.' }),
    order: solution.optional().meta({ description: 'What `orderData` reserved.' }),
  }),
  errors: [
    'UNKNOWN_NETWORK',
    'UNKNOWN_WALLET',
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
    'NO_SESSION_KEYS',
    'SESSION_REFUSED',
    'UNKNOWN_SESSION',
    'NETWORK_FAILED',
    'NETWORK_UNAVAILABLE',
    'BUNDLER_FAILED',
    'BUNDLER_UNAVAILABLE',
    'SIGNER_FAILED',
    'SIGNER_UNAVAILABLE',
  ],
})
