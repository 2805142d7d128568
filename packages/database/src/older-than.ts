import { type RawBuilder, sql } from 'kysely'

/** The last entry of a page. */
export interface PageEnd {
  readonly at: Date
  /** Absent: nothing of the same millisecond is on the next page. */
  readonly id?: string | undefined
}

/** Where the next page begins, in the order of `time` and `id`, both descending. */
export const olderThan = (
  { time, id }: { readonly time: string; readonly id: string },
  end: PageEnd,
): RawBuilder<boolean> => sql`(${sql.ref(time)}, ${sql.ref(id)}) < (${end.at}::timestamptz, ${end.id ?? ''})`

/** The end of the previous page, as a query names it. */
export const pageEnd = ({
  before,
  beforeId,
}: {
  readonly before?: string | undefined
  readonly beforeId?: string | undefined
}): PageEnd | undefined => (before === undefined ? undefined : { at: new Date(before), id: beforeId })
