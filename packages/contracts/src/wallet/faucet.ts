import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hexOutput } from '../primitives/hex.ts'
import { network } from '../primitives/network.ts'
import { namedAccount } from '../smart-account/account-kind.ts'

export const faucet = endpoint({
  method: 'POST',
  path: '/wallet/faucet',
  tag: 'Wallet',
  bucket: 'builds',
  access: withKey,
  idempotency: 'keyed',
  summary: 'Get play money on a local network',
  description:
    'Sends 1 native coin and 100 settlement tokens. It works on local networks only, and is 403 elsewhere.',
  body: z.object({ ...namedAccount, network }),
  output: z.object({
    native: decimalOutput.meta({ description: 'wei sent' }),
    token: decimalOutput.meta({ description: "The amount sent, in the token's base units." }),
    txnHashes: z.array(hexOutput),
  }),
  errors: ['UNKNOWN_NETWORK', 'UNKNOWN_WALLET', 'NETWORK_UNAVAILABLE', 'NETWORK_FAILED'],
})
