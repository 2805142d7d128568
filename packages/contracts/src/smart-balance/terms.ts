import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { network, networkInteger } from '../primitives/network.ts'
import { walletAddress } from '../smart-account/wallet.ts'

export const terms = endpoint({
  method: 'GET',
  path: '/v3/smartbalance/terms',
  tag: 'Smart balance',
  bucket: 'builds',
  access: withKey,
  summary: 'What fees are made of, so that a client can recompute a quote',
  description:
    'They are valid for a minute. A client that recomputes a quote from them gets the figures of `getquote`.',
  query: z.object({ walletAddress, outputNetwork: network }),
  output: z.object({
    basisPoints: z.int().meta({ description: 'Fee on the lent part, in basis points.' }),
    operationFee: decimalOutput.meta({ description: 'The gas budget, in the settlement token.' }),
    settlementFees: z
      .record(z.string(), decimalOutput)
      .meta({ description: 'By network: what a debit there adds to the fee.' }),
    lendable: decimalOutput.meta({ description: 'What the operator can lend on the output network now.' }),
    deposits: z.array(z.object({ network: networkInteger, available: decimalOutput })).meta({
      description:
        'What an order on the output network can draw on now: own reservations that it would replace are free for it.',
    }),
    gasBudget: decimalOutput.meta({ description: 'wei' }),
    expiresAt: z.iso.datetime().meta({ description: 'Until then, quotes of this wallet keep to them.' }),
  }),
  errors: ['UNKNOWN_NETWORK', 'UNKNOWN_WALLET', 'NO_SMART_BALANCE', 'NETWORK_FAILED', 'NETWORK_UNAVAILABLE'],
})
