import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hexOutput } from '../primitives/hex.ts'
import { walletAddress } from '../smart-account/wallet.ts'

export const transfers = endpoint({
  method: 'GET',
  path: '/wallet/transfers',
  tag: 'Wallet',
  bucket: 'reads',
  summary: 'Settlement tokens that an account received lately',
  description:
    'Read from the logs of the last blocks of each network (`fromBlock` says how far back), newest first, at most 100 a network. Native transfers leave no log and are not listed.',
  query: z.object({ walletAddress }),
  output: z.object({
    networks: z.array(
      z.object({
        network: z.string(),
        available: z.boolean().meta({ description: '`false`: the network does not answer now.' }),
        fromBlock: decimalOutput.nullable(),
        transfers: z.array(
          z.object({
            txnHash: hexOutput,
            blockNumber: decimalOutput,
            from: addressOutput,
            token: addressOutput,
            amount: decimalOutput,
          }),
        ),
      }),
    ),
  }),
  errors: ['UNKNOWN_WALLET'],
})
