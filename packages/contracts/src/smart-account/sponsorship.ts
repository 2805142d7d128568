import { z } from 'zod'
import { reserving } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { network } from '../primitives/network.ts'
import { namedAccount } from './account-kind.ts'
import { transactionDetails } from './transaction-detail.ts'

export const sponsorship = endpoint({
  method: 'POST',
  path: '/smart-account/transaction/sponsorship',
  tag: 'EOA smart accounts',
  bucket: 'builds',
  access: reserving,
  idempotency: 'keyed',
  maxBody: 256,
  summary: 'Which gas policy would pay for an operation',
  description:
    'A dry run of `paymasterData: "sponsored"` with this API key, for wallets of EOAs and of passkeys. It simulates and reserves nothing. It asks an external paymaster for its stub data, not for its signature.',
  body: z.object({ network, ...namedAccount, transactionDetails }),
  output: z.object({
    sponsored: z.boolean(),
    policy: z.string().optional().meta({ description: 'The policy that decides. Absent if none matches.' }),
    reason: z.string().optional().meta({ description: 'Why it is not sponsored.' }),
    cost: decimalOutput
      .optional()
      .meta({ description: 'Wei: the maximum cost, which was compared with the budgets.' }),
    policies: z
      .array(
        z.object({
          policy: z.string(),
          result: z.enum(['pays', 'refuses', 'denies', 'does_not_match', 'not_reached']),
          reason: z.string().optional(),
        }),
      )
      .meta({ description: 'The result of each policy, in order.' }),
  }),
  errors: [
    'UNKNOWN_NETWORK',
    'UNKNOWN_WALLET',
    'UNSUPPORTED_ACCOUNT_KIND',
    'NOTHING_TO_DO',
    'EXECUTION_REVERTED',
    'PAYMASTER_REFUSED',
    'SPONSORSHIP_SUSPENDED',
    'PAYMASTER_FAILED',
    'NO_SMART_BALANCE',
    'OPERATION_REFUSED',
    'NETWORK_FAILED',
    'NETWORK_UNAVAILABLE',
    'NETWORK_UNCONFIRMED',
    'BUNDLER_FAILED',
    'BUNDLER_UNAVAILABLE',
  ],
})
