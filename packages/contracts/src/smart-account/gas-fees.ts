import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { network } from '../primitives/network.ts'
import { namedAccount } from './account-kind.ts'
import { feeToken, tokenFee } from './fee-token.ts'
import { paymasterData } from './paymaster-data.ts'
import { transactionDetails } from './transaction-detail.ts'

export const gasFees = endpoint({
  method: 'POST',
  path: '/smart-account/transaction/gas-fees',
  tag: 'EOA smart accounts',
  bucket: 'builds',
  access: withKey,
  scope: 'read',
  idempotency: 'keyed',
  maxBody: 256,
  summary: 'The most that an operation can cost',
  description: 'Works for an account without funds, and reserves nothing.',
  body: z.object({
    network,
    ...namedAccount,
    transactionDetails,
    paymasterData: paymasterData.optional(),
    feeToken: feeToken.optional(),
  }),
  output: z.object({
    result: decimalOutput.meta({ description: 'Wei: the sum of all gas limits × maxFeePerGas.' }),
    tokenFee: tokenFee.optional(),
  }),
  errors: [
    'UNKNOWN_NETWORK',
    'UNKNOWN_WALLET',
    'UNSUPPORTED_ACCOUNT_KIND',
    'NOTHING_TO_DO',
    'EXECUTION_REVERTED',
    'PAYMASTER_REFUSED',
    'SPONSORSHIP_SUSPENDED',
    'PAYMASTER_FAILED',
    'NO_SMART_BALANCE',
    'ORDER_MISMATCH',
    'UNKNOWN_ORDER',
    'ORDER_EXPIRED',
    'UNSUPPORTED_SIGNATURE_TYPE',
    'OPERATION_REFUSED',
    'NETWORK_FAILED',
    'NETWORK_UNAVAILABLE',
    'BUNDLER_FAILED',
    'BUNDLER_UNAVAILABLE',
  ],
})
