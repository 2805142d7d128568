import { z } from 'zod'
import type { ErrorCode } from '../errors/error-table.ts'
import { walletAddress } from './wallet.ts'

/** The kinds of accounts that an EOA can have. */
export const accountKinds = ['safe', 'eip7702'] as const

export const accountKind = z.enum(accountKinds)

export type AccountKind = z.output<typeof accountKind>

/** The errors of operations of an EOA that is the account itself. */
export const delegationErrors = [
  'UNSUPPORTED_ACCOUNT_KIND',
  'DELEGATED_ELSEWHERE',
] as const satisfies readonly ErrorCode[]

/** How requests name an account of any kind. */
export const namedAccount = {
  walletAddress,
  type: accountKind.optional().meta({
    description:
      'Which account of the EOA `walletAddress` is meant, if it has two: `safe`, or the EOA itself (`eip7702`). Without it, the answer is then 400 and names both.',
  }),
}
