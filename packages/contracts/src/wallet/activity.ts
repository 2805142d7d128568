import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hexOutput } from '../primitives/hex.ts'
import { olderThan } from '../primitives/older-than.ts'
import { namedAccount } from '../smart-account/account-kind.ts'
import { operationStates } from '../smart-account/status.ts'
import { transactionDetailOutput } from '../smart-account/transaction-detail.ts'

/** A signed operation, in any state. */
export const activityEntry = z.object({
  userOpHash: hexOutput,
  network: z.string(),
  state: z.enum(operationStates),
  final: z.boolean(),
  success: z.boolean().optional(),
  txnHash: hexOutput.optional(),
  signedAt: z.iso.datetime(),
  includedAt: z.iso.datetime().optional(),
  gasCost: decimalOutput.optional().meta({ description: 'wei' }),
  sender: addressOutput,
  calls: z.array(transactionDetailOutput),
  reason: z.object({ code: z.string(), message: z.string() }).optional(),
})

export const activity = endpoint({
  method: 'GET',
  path: '/wallet/activity',
  tag: 'Wallet',
  bucket: 'reads',
  access: withKey,
  scope: 'support',
  summary: "An account's operations, newest first",
  description:
    'Returns signed operations in every state, with their calls: at most `limit` of them. Use `before` and `beforeId` for older ones. Operations that were sent without this service (by another bundler, or `handleOps`) are read from the last six hours of each network that answers, at most 25 for each network. Their `signedAt` is the time of their block.',
  query: z.object({
    ...namedAccount,
    limit: z.coerce.number().int().min(1).max(100).default(25).meta({ type: 'integer' }),
    ...olderThan('operation', { time: 'signedAt', id: 'userOpHash' }),
  }),
  output: z.object({
    activity: z.array(activityEntry),
  }),
  errors: ['UNKNOWN_WALLET'],
})
