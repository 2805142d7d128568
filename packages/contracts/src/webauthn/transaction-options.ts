import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { network } from '../primitives/network.ts'
import { username } from '../primitives/username.ts'
import { paymasterData } from '../smart-account/paymaster-data.ts'
import { transactionDetails } from '../smart-account/transaction-detail.ts'
import { requestOptions } from './options.ts'

export const transactionOptions = endpoint({
  method: 'POST',
  path: '/v3/webauthn/transaction/generate-options',
  tag: 'Passkey accounts',
  summary: 'Build a user operation for a passkey to sign',
  description: 'The challenge is the SafeOp hash of exactly these calls.',
  body: z.object({ username, transactionDetails, network, paymasterData: paymasterData.optional() }),
  output: requestOptions,
  errors: ['UNKNOWN_USER', 'UNKNOWN_NETWORK', 'EXECUTION_REVERTED', 'INSUFFICIENT_FUNDS'],
  availability: 'planned',
})
