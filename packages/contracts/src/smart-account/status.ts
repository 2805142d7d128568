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
  scope: 'support',
  summary: 'Status of an operation',
  description:
    "The status is kept forever, and follows the chain through reorgs. It also finds operations of this service's accounts that were sent elsewhere, in the last six hours. Such a search counts as a read.",
  query: z.object({ userOpHash: hash }),
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
    reason: z
      .object({ code: z.string(), message: z.string() })
      .optional()
      .meta({ description: 'Why it reverted, was dropped, or is not included yet.' }),
  }),
  errors: ['UNKNOWN_OPERATION'],
})
