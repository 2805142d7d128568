import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hexOutput } from '../primitives/hex.ts'
import { namedAccount } from '../smart-account/account-kind.ts'

export const transfers = endpoint({
  method: 'GET',
  path: '/wallet/transfers',
  tag: 'Wallet',
  bucket: 'reads',
  access: withKey,
  scope: 'support',
  summary: "An account's recent incoming transfers",
  description:
    'Reads the logs of the last six hours of each network, or of as many blocks as can be read in three seconds and 64 requests (`fromBlock` says how far back), newest first, at most 100 for each network. It covers settlement tokens, and native coins if the account is deployed (`SafeReceived`). Before deployment, native value leaves no log.',
  query: z.object(namedAccount),
  output: z.object({
    networks: z.array(
      z.object({
        network: z.string(),
        available: z.boolean().meta({ description: '`false`: the network does not answer at the moment.' }),
        fromBlock: decimalOutput.nullable(),
        transfers: z.array(
          z.object({
            txnHash: hexOutput,
            blockNumber: decimalOutput,
            at: z.iso.datetime().meta({ description: 'The time of the block.' }),
            from: addressOutput,
            token: addressOutput.nullable().meta({ description: "`null`: the network's native coin." }),
            amount: decimalOutput,
          }),
        ),
      }),
    ),
  }),
  errors: ['UNKNOWN_WALLET'],
})
