import { z } from 'zod'
import { hexOutput } from '../primitives/hex.ts'
import { operationValidity } from '../smart-account/operation-request.ts'
import { signModes } from '../smart-account/sign-mode.ts'
import { transactionDetailOutput } from '../smart-account/transaction-detail.ts'
import { userOp } from '../smart-account/user-op.ts'

const whereEoa = 'Present if an EOA owns the account on this network.'

/**
 * What an owner signs to change the sessions of an account: the response of `transaction/build`, and the
 * calls.
 */
export const sessionPlan = z.object({
  transactionDetails: z.array(transactionDetailOutput).meta({
    description: 'A passkey owner passes them to `/v3/webauthn/transaction/generate-options`.',
  }),
  userOp: userOp.optional().meta({ description: whereEoa }),
  messageToSign: hexOutput.optional().meta({ description: `The SafeOp hash: 32 bytes. ${whereEoa}` }),
  signMode: z.enum(signModes).optional().meta({ description: whereEoa }),
  ...operationValidity.shape,
})

/** The errors of a plan: it is built like any operation. */
export const planErrors = [
  'UNKNOWN_NETWORK',
  'UNKNOWN_WALLET',
  'NO_SESSION_KEYS',
  'SESSION_REFUSED',
  'EXECUTION_REVERTED',
  'INSUFFICIENT_FUNDS',
  'PAYMASTER_REFUSED',
  'SPONSORSHIP_SUSPENDED',
  'PAYMASTER_FAILED',
  'NO_SMART_BALANCE',
  'ORDER_MISMATCH',
  'UNKNOWN_ORDER',
  'ORDER_EXPIRED',
  'UNSUPPORTED_SIGNATURE_TYPE',
  'OPERATION_REFUSED',
  'OPERATION_IN_FLIGHT',
  'LANES_EXHAUSTED',
  'TOO_MANY_BUILDS',
  'NETWORK_FAILED',
  'NETWORK_UNAVAILABLE',
  'BUNDLER_FAILED',
  'BUNDLER_UNAVAILABLE',
  'SIGNER_FAILED',
  'SIGNER_UNAVAILABLE',
] as const
