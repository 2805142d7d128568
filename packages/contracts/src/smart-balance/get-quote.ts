import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { amount, decimalOutput } from '../primitives/amount.ts'
import { network } from '../primitives/network.ts'
import { walletAddress } from '../smart-account/wallet.ts'
import { quoteLimit, quoteType } from './quote-type.ts'

export const getQuote = endpoint({
  method: 'POST',
  path: '/v3/smartbalance/getquote',
  tag: 'Smart balance',
  bucket: 'builds',
  access: withKey,
  idempotency: 'keyed',
  summary: 'What it costs to spend the combined balance on one network',
  description: 'If you call computesolution with the same input within a minute, it costs exactly this.',
  body: z.object({
    walletAddress,
    outputNetwork: network.meta({ type: 'integer', example: 31337 }),
    amount,
    type: quoteType,
    limit: quoteLimit,
  }),
  output: z.object({
    quote: z.object({
      amount: decimalOutput,
      fee: decimalOutput,
      total: decimalOutput.meta({ description: 'amount + fee' }),
    }),
  }),
  errors: [
    'UNKNOWN_NETWORK',
    'UNKNOWN_WALLET',
    'NO_SMART_BALANCE',
    'INSUFFICIENT_FUNDS',
    'INSUFFICIENT_LIQUIDITY',
    'LIMIT_BREACHED',
    'AMOUNT_REFUSED',
    'NETWORK_FAILED',
    'NETWORK_UNAVAILABLE',
    'NETWORK_UNCONFIRMED',
  ],
  statuses: 'fixed',
})
