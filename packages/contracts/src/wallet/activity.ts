import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hexOutput } from '../primitives/hex.ts'
import { networkInteger } from '../primitives/network.ts'
import { olderThan } from '../primitives/older-than.ts'
import { namedAccount } from '../smart-account/account-kind.ts'
import { feePaid } from '../smart-account/fee-token.ts'
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
  feePaid: feePaid.optional(),
  paymaster: addressOutput
    .optional()
    .meta({ description: 'The contract that pays the gas; absent: the account itself' }),
  sender: addressOutput,
  calls: z.array(transactionDetailOutput),
  reason: z.object({ code: z.string(), message: z.string() }).optional(),
})

/** What owners or guardians signed once for all networks, or what came of it. */
const protectionEntry = z.object({
  act: z
    .enum([
      'change',
      'recovery-signed',
      'recovery-started',
      'recovery-executed',
      'cancellation-signed',
      'recovery-cancelled',
    ])
    .meta({
      description:
        '`change`: an owner signed `change`. `recovery-signed`, `cancellation-signed`: `guardian` signed. `recovery-started`: enough guardians had signed. `recovery-executed`: the account has other owners. `recovery-cancelled`: enough guardians took it back; an owner does that by a `change`.',
    }),
  at: z.iso.datetime(),
  messageToSign: hexOutput.meta({ description: 'The hash that was signed.' }),
  change: z.object({ kind: hexOutput, data: hexOutput }).optional(),
  endsRecovery: z.boolean().optional().meta({
    description: 'Whether the change ends a recovery that enough guardians had signed.',
  }),
  guardian: addressOutput.optional(),
  networks: z.array(networkInteger).meta({ description: 'Where it holds now. Empty for signatures.' }),
  waiting: z.array(networkInteger).meta({ description: 'Where it does not hold yet.' }),
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
    protection: z.array(protectionEntry).optional().meta({
      description:
        'Owner changes, guardians and recoveries, newest first: at most 100, and only on the first page.',
    }),
  }),
  errors: ['UNKNOWN_WALLET'],
})
