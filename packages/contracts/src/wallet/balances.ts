import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { namedAccount } from '../smart-account/account-kind.ts'

const tokenBalance = z.object({
  address: addressOutput,
  symbol: z.string(),
  decimals: z.int().nonnegative(),
  balance: decimalOutput.meta({ description: "In the token's own base units." }),
})

export const balances = endpoint({
  method: 'GET',
  path: '/wallet/balances',
  tag: 'Wallet',
  bucket: 'reads',
  access: withKey,
  scope: 'support',
  summary: "An account's balances on each network",
  description:
    'Returns the native coin and the settlement token. Networks that do not answer are marked, not left out.',
  query: z.object(namedAccount),
  output: z.object({
    balances: z.array(
      z.object({
        network: z.string(),
        available: z.boolean().meta({ description: '`false`: the network does not answer at the moment.' }),
        deployed: z.boolean(),
        native: decimalOutput.nullable().meta({ description: 'wei' }),
        tokens: z.array(tokenBalance),
      }),
    ),
  }),
  errors: ['UNKNOWN_WALLET'],
})
