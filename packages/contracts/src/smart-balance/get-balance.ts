import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { networkInteger } from '../primitives/network.ts'
import { walletAddress } from '../smart-account/wallet.ts'

export const getBalance = endpoint({
  method: 'GET',
  path: '/v3/smartbalance/getbalance',
  tag: 'Smart balance',
  bucket: 'reads',
  access: withKey,
  scope: 'support',
  summary: 'The combined balance and its parts',
  description: 'All amounts of the smart balance are in base units with 6 decimals.',
  query: z.object({ walletAddress: walletAddress.optional() }),
  output: z.object({
    netBalance: decimalOutput,
    balances: z.record(z.string(), decimalOutput).meta({ description: 'By network.' }),
    unavailable: z
      .array(networkInteger)
      .optional()
      .meta({ description: 'Networks that do not answer and are left out of the sum.' }),
  }),
  errors: ['UNKNOWN_WALLET'],
  statuses: 'fixed',
})
