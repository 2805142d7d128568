import { z } from 'zod'
import { reserving } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { amount } from '../primitives/amount.ts'
import { network } from '../primitives/network.ts'
import { walletAddress } from '../smart-account/wallet.ts'
import { gasBudget } from './order-data.ts'
import { quoteLimit, quoteType } from './quote-type.ts'
import { solution } from './solution.ts'

export const computeSolution = endpoint({
  method: 'POST',
  path: '/v3/smartbalance/computesolution',
  tag: 'Smart balance',
  bucket: 'builds',
  access: reserving,
  idempotency: 'keyed',
  summary: 'Reserve an order, and get its calls',
  description:
    'Reserves deposits, liquidity and a nonce for ten minutes. Needs a secret API key or the token of the wallet’s owner, except on local networks. A newer reservation of the account replaces an older one that is not built yet.',
  body: z.object({
    walletAddress,
    amount,
    type: quoteType,
    outputNetwork: network.meta({ type: 'integer', example: 31337 }),
    limit: quoteLimit,
    gasBudget,
  }),
  output: solution,
  errors: [
    'UNKNOWN_NETWORK',
    'UNKNOWN_WALLET',
    'NO_SMART_BALANCE',
    'INSUFFICIENT_FUNDS',
    'INSUFFICIENT_LIQUIDITY',
    'LIMIT_BREACHED',
    'AMOUNT_REFUSED',
    'ORDER_OPEN',
    'ORDER_EXPIRED',
    'OPERATION_IN_FLIGHT',
    'LANES_EXHAUSTED',
    'NETWORK_FAILED',
    'NETWORK_UNAVAILABLE',
    'NETWORK_UNCONFIRMED',
    'SIGNER_FAILED',
    'SIGNER_UNAVAILABLE',
  ],
  statuses: 'fixed',
})
