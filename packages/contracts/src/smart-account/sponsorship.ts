import { z } from 'zod'
import { reserving } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { network } from '../primitives/network.ts'
import { transactionDetails } from './transaction-detail.ts'
import { walletAddress } from './wallet.ts'

export const sponsorship = endpoint({
  method: 'POST',
  path: '/smart-account/transaction/sponsorship',
  tag: 'EOA smart accounts',
  bucket: 'builds',
  access: reserving,
  idempotency: 'keyed',
  summary: 'Which gas policy would pay for an operation',
  description:
    'A dry run of `paymasterData: "sponsored"` with this API key, for wallets of EOAs and of passkeys: it simulates, and reserves nothing. An external paymaster is asked for its stub, not for its signature.',
  body: z.object({ network, walletAddress, transactionDetails }),
  output: z.object({
    sponsored: z.boolean(),
    policy: z
      .string()
      .optional()
      .meta({ description: 'The policy that decides; absent where none matches.' }),
    reason: z.string().optional().meta({ description: 'Why it is not sponsored.' }),
    cost: decimalOutput
      .optional()
      .meta({ description: 'wei, the most that it can cost: what the budgets were compared with.' }),
    policies: z
      .array(
        z.object({
          policy: z.string(),
          result: z.enum(['pays', 'refuses', 'denies', 'does_not_match', 'not_reached']),
          reason: z.string().optional(),
        }),
      )
      .meta({ description: 'What each policy says, in their order.' }),
  }),
  errors: [
    'UNKNOWN_NETWORK',
    'UNKNOWN_WALLET',
    'NOTHING_TO_DO',
    'EXECUTION_REVERTED',
    'PAYMASTER_REFUSED',
    'PAYMASTER_FAILED',
    'NO_SMART_BALANCE',
    'OPERATION_REFUSED',
    'NETWORK_FAILED',
    'NETWORK_UNAVAILABLE',
    'BUNDLER_FAILED',
    'BUNDLER_UNAVAILABLE',
  ],
})
