import { z } from 'zod'
import { withKey } from '../access.ts'
import { endpoint } from '../endpoint.ts'
import { addressOutput } from '../primitives/address.ts'
import { decimalOutput } from '../primitives/amount.ts'
import { hexOutput } from '../primitives/hex.ts'
import { network, networkInteger } from '../primitives/network.ts'
import { walletAddress } from '../smart-account/wallet.ts'
import { namedKey } from './session-key.ts'

const allowance = z.object({
  token: addressOutput.optional().meta({ description: 'Absent: the native token.' }),
  period: z.int().nonnegative().meta({ description: 'Seconds. 0: the amount is the total.' }),
  amount: decimalOutput.meta({ description: 'Base units.' }),
  left: decimalOutput.meta({ description: 'What is left of the total, or of the current period.' }),
  resetsAt: z.int().positive().optional().meta({
    description:
      'Unix seconds: when the next period begins, and `left` is `amount` again. Absent if no further period begins before the session ends.',
  }),
  to: z
    .array(addressOutput)
    .optional()
    .meta({ description: 'Who may receive it or be approved to take it. Absent: anyone.' }),
})

const rule = z.object({
  kind: z.enum(['native', 'call', 'token']),
  target: addressOutput.optional().meta({ description: 'Absent: anyone.' }),
  selector: hexOutput.optional(),
  counterparty: addressOutput
    .optional()
    .meta({ description: 'Recipient or spender of a token. Absent: anyone.' }),
  maxValue: decimalOutput.meta({ description: 'Wei that one call may send.' }),
})

export const list = endpoint({
  method: 'GET',
  path: '/smart-account/session-key',
  tag: 'Session keys',
  bucket: 'reads',
  access: withKey,
  scope: 'support',
  summary: 'The sessions of an account, and what is left of their limits',
  description: 'Reads the sessions from the chains, including those that other clients granted.',
  query: z.object({ walletAddress, network: network.optional() }),
  output: z.object({
    sessions: z.array(
      z.object({
        network: networkInteger,
        ...namedKey,
        state: z.enum(['pending', 'active', 'expired']).meta({
          description: "By the chain's clock: `pending` before `validAfter`, `expired` after `validUntil`.",
        }),
        validAfter: z.int().nonnegative(),
        validUntil: z.int().nonnegative(),
        maxOperations: z.int().positive(),
        operationsLeft: z.int().nonnegative(),
        feePerOperation: decimalOutput.meta({ description: 'wei' }),
        paymaster: addressOutput.optional(),
        allowances: z.array(allowance),
        rules: z.array(rule),
        description: z.array(z.string()).meta({ description: 'The same in plain words.' }),
      }),
    ),
    unavailable: z
      .array(networkInteger)
      .optional()
      .meta({ description: 'Networks that do not answer and are left out.' }),
  }),
  errors: ['UNKNOWN_NETWORK', 'UNKNOWN_WALLET', 'NO_SESSION_KEYS'],
})
