import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { network } from '../primitives/network.ts'
import { namedAccount } from './account-kind.ts'
import { transactionDetails } from './transaction-detail.ts'

/** Changes in one answer, at most. */
export const maxChanges = 50

export const simulate = endpoint({
  method: 'POST',
  path: '/smart-account/transaction/simulate',
  tag: 'EOA smart accounts',
  bucket: 'builds',
  access: withKey,
  scope: 'read',
  idempotency: 'none',
  maxBody: 256,
  summary: 'What calls change for an account, to show',
  description:
    'Simulates the calls once at the head of the chain with at most 8 million gas, for accounts of every kind, and reads the logs. It reserves nothing, and the network fee is not part of it. A contract that logs something else than it does is not recognised. For a wallet to show before a signature, as a statement of this service.',
  body: z.object({ network, ...namedAccount, transactionDetails }),
  output: z.object({
    changes: z
      .array(
        z.object({
          kind: z.enum(['in', 'out', 'approval']).meta({
            description:
              'What the account gets, gives, or lets `spender` take later. Of each asset the difference counts.',
          }),
          token: addressOutput
            .optional()
            .meta({ description: 'The contract of the token. Absent: the native coin.' }),
          id: decimalOutput.optional().meta({ description: 'The id of an NFT (ERC-721, ERC-1155).' }),
          amount: decimalOutput.optional().meta({
            description: 'Base units. Absent: the spender may take everything in the contract.',
          }),
          spender: addressOutput.optional(),
        }),
      )
      .max(maxChanges)
      .optional()
      .meta({
        description:
          'Absent if the node of this network cannot tell (`eth_simulateV1`), or if the calls log more than 1,000 events.',
      }),
    omitted: z
      .int()
      .optional()
      .meta({ description: `Changes after the first ${maxChanges}, if any.` }),
  }),
  errors: [
    'UNKNOWN_NETWORK',
    'UNKNOWN_WALLET',
    'UNSUPPORTED_ACCOUNT_KIND',
    'DELEGATED_ELSEWHERE',
    'ACCOUNT_NOT_ON_NETWORK',
    'NOTHING_TO_DO',
    'EXECUTION_REVERTED',
    'NETWORK_FAILED',
    'NETWORK_UNAVAILABLE',
  ],
})
