import { z } from 'zod'
import { walletAddress } from '../smart-account/wallet.ts'

/** What a stream of events is asked for by, over every transport. */
export const eventListenInput = z.object({
  /** Absent: of all accounts, for secret keys. */
  walletAddress: walletAddress.optional(),
  /** Of the last event that was had; absent: begin with what happens next. */
  lastEventId: z
    .string()
    .regex(/^\d{1,15}$/, 'Expected the id of an event: a number')
    .optional(),
})

export type EventListenInput = z.input<typeof eventListenInput>
