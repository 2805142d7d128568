import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { amount } from '../primitives/amount.ts'
import { network } from '../primitives/network.ts'
import { transactionDetailOutput } from '../smart-account/transaction-detail.ts'
import { walletAddress } from '../smart-account/wallet.ts'

export const deposit = endpoint({
  method: 'POST',
  path: '/v3/smartbalance/deposit',
  tag: 'Smart balance',
  bucket: 'builds',
  access: withKey,
  idempotency: 'keyed',
  summary: 'Get the calls that make a deposit',
  description:
    'The calls are approve, deposit and, if no owner is pinned yet, addSigner. Put them into a build on that network.',
  body: z.object({ walletAddress, network: network.meta({ type: 'integer', example: 31337 }), amount }),
  output: z.object({ transactions: z.array(transactionDetailOutput) }),
  errors: [
    'UNKNOWN_NETWORK',
    'UNKNOWN_WALLET',
    'NO_SMART_BALANCE',
    'AMOUNT_REFUSED',
    'INSUFFICIENT_FUNDS',
    'NETWORK_FAILED',
    'NETWORK_UNAVAILABLE',
  ],
})
