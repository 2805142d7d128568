import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { address } from '../primitives/address.ts'
import { amount } from '../primitives/amount.ts'
import { network } from '../primitives/network.ts'
import { transactionDetailOutput } from '../smart-account/transaction-detail.ts'
import { walletAddress } from '../smart-account/wallet.ts'

export const exit = endpoint({
  method: 'POST',
  path: '/v3/smartbalance/exit',
  tag: 'Smart balance',
  bucket: 'reads',
  access: withKey,
  idempotency: 'keyed',
  summary: 'Get the calls of an exit, which needs no operator',
  description:
    'Request the exit, wait seven days, finalise it. New orders cannot spend what is exiting. Open orders may still take it.',
  body: z.object({
    walletAddress,
    network: network.meta({ type: 'integer', example: 31337 }),
    action: z.enum(['request', 'cancel', 'finalize'], 'Expected request, cancel or finalize'),
    amount: amount.optional().meta({ description: 'For `request`. Absent: everything deposited there.' }),
    to: address.optional().meta({ description: 'For `finalize`. Absent: the account itself.' }),
  }),
  output: z.object({ transactions: z.array(transactionDetailOutput) }),
  errors: [
    'UNKNOWN_NETWORK',
    'UNKNOWN_WALLET',
    'NO_SMART_BALANCE',
    'AMOUNT_REFUSED',
    'INSUFFICIENT_FUNDS',
    'EXIT_REFUSED',
    'NETWORK_FAILED',
    'NETWORK_UNAVAILABLE',
  ],
})
