import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** Milliseconds by which the clocks of processes may differ, and by which a renewed claim may last longer. */
const maxApart = 10_000

/**
 * Claims a pass of background work, so that any number of replicas together make as many passes as one
 * process.
 *
 * @param next - when a later pass may begin
 * @returns false while another process' claim lasts
 */
export async function claimPass(
  database: Kysely<Database>,
  name: string,
  { now, next }: { readonly now: Date; readonly next: Date },
): Promise<boolean> {
  const claimed = await database
    .insertInto('passes')
    .values({ name, next_at: next })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ next_at: next })
        // A claim that ends much later than this one was made before the clock was set back.
        .where((eb) =>
          eb.or([
            eb('passes.next_at', '<=', now),
            eb('passes.next_at', '>', new Date(next.getTime() + maxApart)),
          ]),
        ),
    )
    .returning('name')
    .executeTakeFirst()
  return claimed !== undefined
}

/**
 * Moves the end of one's own claim, while the pass runs or when it ends.
 *
 * @param ends - the end of the claim as this process last wrote it
 * @returns false if another process has claimed the pass in the meantime
 */
export async function moveClaim(
  database: Kysely<Database>,
  name: string,
  { ends, next }: { readonly ends: Date; readonly next: Date },
): Promise<boolean> {
  const moved = await database
    .updateTable('passes')
    .set({ next_at: next })
    .where('name', '=', name)
    .where('next_at', '=', ends)
    .returning('name')
    .executeTakeFirst()
  return moved !== undefined
}
