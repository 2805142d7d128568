import { dateTime } from './date-time.ts'
import { hash } from './hex.ts'

/** Members of a query that returns the next page: what is older than the last entry of the previous one. */
export const olderThan = (entry: string, { time, id }: { readonly time: string; readonly id: string }) => ({
  before: dateTime
    .optional()
    .meta({ description: `The \`${time}\` of the last ${entry} on the previous page.` }),
  beforeId: hash.optional().meta({
    description: `Its \`${id}\`. Without it, others of the same millisecond are left out.`,
  }),
})
