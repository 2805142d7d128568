import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { networkInteger } from '../primitives/network.ts'
import { walletAddress } from '../smart-account/wallet.ts'

export const deposits = endpoint({
  method: 'GET',
  path: '/v3/smartbalance/deposits',
  tag: 'Smart balance',
  bucket: 'reads',
  access: withKey,
  scope: 'support',
  summary: 'The parts of the combined balance, and what holds them',
  description:
    'One entry for each network: what the account has there, and how much of it orders, withdrawals and exits hold.',
  query: z.object({ walletAddress }),
  output: z.object({
    deposits: z.array(
      z.object({
        network: networkInteger,
        balance: decimalOutput.meta({
          description: 'Everything that is deposited there, including what is exiting.',
        }),
        available: decimalOutput.meta({ description: 'The amount that an order can use now.' }),
        reserved: decimalOutput.meta({ description: 'Held by open orders.' }),
        exiting: decimalOutput,
        exitReadyAt: z.iso
          .datetime()
          .optional()
          .meta({ description: 'The time from which the exit can be finalised.' }),
        pinned: z.boolean().meta({
          description:
            'Whether an owner is pinned there. Without a pin, a deposit can be spent only on its own network.',
        }),
      }),
    ),
    unavailable: z
      .array(networkInteger)
      .optional()
      .meta({ description: 'Networks that do not answer and are left out.' }),
  }),
  errors: ['UNKNOWN_WALLET'],
})
