import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { flag } from '../primitives/flag.ts'
import { hash, hexOutput } from '../primitives/hex.ts'
import { feePaid } from './fee-token.ts'

/**
 * `built → submitting → submitted → included
 * dropped
 * expired`; included becomes submitted again when a reorg removes it.
 */
export const operationStates = ['built', 'submitting', 'submitted', 'included', 'dropped', 'expired'] as const
export type OperationState = (typeof operationStates)[number]

/** What happened to an operation, in the order in which it may first happen. */
const operationSteps = [
  ...(['built', 'signed', 'sent', 'included', 'reverted'] as const),
  ...(['reorged', 'dropped', 'replaced', 'final'] as const),
] as const

/** One step in the life of an operation. */
const operationStep = z.object({
  what: z.enum(operationSteps),
  at: z.iso.datetime(),
  txnHash: hexOutput.optional(),
})

export const status = endpoint({
  method: 'GET',
  path: '/smart-account/transaction/status',
  tag: 'EOA smart accounts',
  bucket: 'calls',
  access: withKey,
  scope: 'support',
  summary: 'Status of an operation',
  description:
    "The status is kept forever, and follows the chain through reorgs. It also finds operations of this service's accounts that were sent elsewhere, in the last six hours. Such a search counts as a read.",
  query: z.object({
    userOpHash: hash,
    history: flag.optional().meta({ type: 'boolean', description: 'Also answer `history` and `signer`.' }),
  }),
  output: z.object({
    userOpHash: hexOutput,
    network: z.string(),
    walletAddress: addressOutput,
    state: z.enum(operationStates),
    final: z
      .boolean()
      .meta({ description: '`true` once no reorg within the configured depth can change this.' }),
    success: z.boolean().optional().meta({ description: 'Once included.' }),
    txnHash: hexOutput.optional().meta({ description: 'Once included.' }),
    blockNumber: decimalOutput.optional(),
    gasCost: decimalOutput.optional().meta({ description: 'Wei that the account or its paymaster paid.' }),
    feePaid: feePaid.optional(),
    reason: z
      .object({ code: z.string(), message: z.string() })
      .optional()
      .meta({ description: 'Why it reverted, was dropped, or is not included yet.' }),
    signer: addressOutput.optional().meta({
      description:
        'With `history`: the owner that signed it: an EOA, the signer of a passkey, or the SessionKeys contract.',
    }),
    history: z.array(operationStep).optional().meta({
      description:
        'With `history`: its steps, oldest first, also those that a reorg undid. Steps after its signature are kept for 30 days; after that, only its inclusion is known.',
    }),
  }),
  errors: ['UNKNOWN_OPERATION'],
})
