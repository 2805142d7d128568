import { z } from 'zod'
import { decimalOutput } from '../primitives/amount.ts'
import { hexOutput } from '../primitives/hex.ts'
import { networkInteger } from '../primitives/network.ts'

/**
 * `RESERVED → SUBMITTED → CLAIMED
 * FAILED`, then, final, `ATTESTED → SETTLED`. `EXPIRED`: never included, nothing is owed. A reorg changes
 * CLAIMED and FAILED back to SUBMITTED.
 */
export const orderStates = [
  'RESERVED',
  'SUBMITTED',
  'CLAIMED',
  'FAILED',
  'ATTESTED',
  'SETTLED',
  'EXPIRED',
] as const
export type OrderState = (typeof orderStates)[number]

/**
 * `RESERVED`: may become due. `DUE`: proven, not settled. `SETTLED`, `PARTIAL` (the deposit was less than the
 * amount due), `LOST` (there was no deposit, or it was too late), `RELEASED` (never due).
 */
export const debitStates = ['RESERVED', 'DUE', 'SETTLED', 'PARTIAL', 'LOST', 'RELEASED'] as const
export type DebitState = (typeof debitStates)[number]

export const orderOutput = z
  .object({
    orderId: hexOutput,
    state: z.enum(orderStates),
    outputNetwork: networkInteger,
    amount: decimalOutput,
    fee: decimalOutput,
    total: decimalOutput.meta({ description: 'amount + fee' }),
    txnHash: hexOutput
      .optional()
      .meta({ description: 'The transaction on the output network, once included.' }),
    debits: z.array(
      z.object({
        network: networkInteger,
        amount: decimalOutput,
        state: z.enum(debitStates),
        txnHash: hexOutput.optional().meta({ description: 'The transaction of the settlement.' }),
      }),
    ),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'Order' })
