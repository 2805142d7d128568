import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hash, hexOutput } from '../primitives/hex.ts'

/**
 * `built → submitting → submitted → included
 * dropped
 * expired`; included becomes submitted again when a reorg removes it.
 */
export const operationStates = ['built', 'submitting', 'submitted', 'included', 'dropped', 'expired'] as const
export type OperationState = (typeof operationStates)[number]

export const status = endpoint({
  method: 'GET',
  path: '/smart-account/transaction/status',
  tag: 'EOA smart accounts',
  bucket: 'calls',
  access: withKey,
  summary: 'Status of an operation',
  description:
    'Kept forever; it follows the chain through reorgs. An operation of an account of this service that was sent elsewhere is found in the last 2,000 blocks; such a search counts as a read.',
  query: z.object({ userOpHash: hash }),
  output: z.object({
    userOpHash: hexOutput,
    network: z.string(),
    walletAddress: addressOutput,
    state: z.enum(operationStates),
    final: z
      .boolean()
      .meta({ description: 'No reorg within the configured depth can change this any more.' }),
    success: z.boolean().optional().meta({ description: 'Once included.' }),
    txnHash: hexOutput.optional().meta({ description: 'Once included.' }),
    blockNumber: decimalOutput.optional(),
    gasCost: decimalOutput.optional().meta({ description: 'wei, what the account or its paymaster paid.' }),
    reason: z
      .object({ code: z.string(), message: z.string() })
      .optional()
      .meta({ description: 'Why it reverted, was dropped, or is not included yet.' }),
  }),
  errors: ['UNKNOWN_OPERATION'],
})
