import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { amount, decimalOutput } from '../primitives/amount.ts'
import { hexOutput } from '../primitives/hex.ts'
import { network, networkInteger } from '../primitives/network.ts'
import { walletAddress } from '../smart-account/wallet.ts'
import { quoteLimit, quoteType } from './quote-type.ts'

const call = z.object({ encodedData: hexOutput, targetContractAddress: addressOutput })

export const computeSolution = endpoint({
  method: 'POST',
  path: '/v3/smartbalance/computesolution',
  tag: 'Smart balance',
  summary: 'Reserve what a withdrawal needs and answer its calls',
  body: z.object({
    walletAddress,
    amount,
    type: quoteType,
    outputNetwork: network.meta({ type: 'integer', example: 31337 }),
    limit: quoteLimit,
  }),
  output: z.object({
    withdrawalPlan: z.object({ network: networkInteger, amount: decimalOutput }),
    tokenToClaim: z.object({ address: addressOutput, amount: decimalOutput }),
    transactions: z.object({ claim: call, withdrawal: call }),
    signatures: z.object({ paymaster: hexOutput, withdrawal: hexOutput }),
  }),
  errors: ['UNKNOWN_NETWORK', 'UNKNOWN_WALLET', 'INSUFFICIENT_FUNDS'],
  availability: 'planned',
  statuses: 'fixed',
})
