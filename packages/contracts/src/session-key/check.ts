import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { network } from '../primitives/network.ts'
import { paymasterData } from '../smart-account/paymaster-data.ts'
import { transactionDetails } from '../smart-account/transaction-detail.ts'
import { walletAddress } from '../smart-account/wallet.ts'
import { sessionKey } from './session-key.ts'

export const check = endpoint({
  method: 'POST',
  path: '/smart-account/session-key/check',
  tag: 'Session keys',
  bucket: 'builds',
  access: withKey,
  scope: 'read',
  idempotency: 'keyed',
  summary: 'Whether a session allows calls',
  description: 'Simulates the calls. It builds, reserves and sends nothing.',
  body: z.object({
    network,
    walletAddress,
    sessionKey,
    transactionDetails,
    paymasterData: paymasterData.optional(),
  }),
  output: z.object({
    allowed: z.boolean(),
    reason: z
      .object({
        rule: z.string().meta({ description: "The contract's error.", example: 'AllowanceExceeded' }),
        message: z.string(),
        call: z.int().nonnegative().optional().meta({ description: 'Index of the call, from 0.' }),
      })
      .optional()
      .meta({ description: 'Why not.' }),
  }),
  errors: [
    'UNKNOWN_NETWORK',
    'UNKNOWN_WALLET',
    'NO_SESSION_KEYS',
    'INSUFFICIENT_FUNDS',
    'PAYMASTER_REFUSED',
    'SPONSORSHIP_SUSPENDED',
    'PAYMASTER_FAILED',
    'OPERATION_REFUSED',
    'NETWORK_FAILED',
    'NETWORK_UNAVAILABLE',
    'BUNDLER_FAILED',
    'BUNDLER_UNAVAILABLE',
  ],
})
