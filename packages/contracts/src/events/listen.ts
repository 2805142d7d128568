import { z } from 'zod'
import { namedAccount } from '../smart-account/account-kind.ts'

/** The input of an event stream, for every transport. */
export const eventListenInput = z.object({
  /** Absent: all accounts, only for secret keys. */
  walletAddress: namedAccount.walletAddress.optional(),
  type: namedAccount.type,
  /** The id of the last received event; absent: start with the next event. */
  lastEventId: z
    .string()
    .regex(/^\d{1,15}$/, 'Expected the id of an event: a number')
    .optional(),
})

export type EventListenInput = z.input<typeof eventListenInput>
