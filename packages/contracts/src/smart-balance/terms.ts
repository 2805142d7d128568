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
  scope: 'read',
  summary: 'The terms of fees, with which a client can recompute a quote',
  description:
    'The terms are valid for a minute. A quote that a client computes from them has the same figures as `getquote`.',
  query: z.object({ walletAddress, outputNetwork: network }),
  output: z.object({
    basisPoints: z.int().meta({ description: 'Fee on the lent part, in basis points.' }),
    operationFee: decimalOutput.meta({ description: 'The gas budget, in the settlement token.' }),
    settlementFees: z
      .record(z.string(), decimalOutput)
      .meta({ description: 'For each network: the amount that a debit there adds to the fee.' }),
    lendable: decimalOutput.meta({
      description: 'The amount that the operator can lend on the output network now.',
    }),
    deposits: z.array(z.object({ network: networkInteger, available: decimalOutput })).meta({
      description:
        'The deposits that an order on the output network can use now, including own reservations that it would replace.',
    }),
    gasBudget: decimalOutput.meta({ description: 'wei' }),
    expiresAt: z.iso.datetime().meta({ description: 'Quotes of this wallet use these terms until then.' }),
  }),
  errors: [
    'UNKNOWN_NETWORK',
    'UNKNOWN_WALLET',
    'NO_SMART_BALANCE',
    'NETWORK_FAILED',
    'NETWORK_UNAVAILABLE',
    'NETWORK_UNCONFIRMED',
  ],
})
