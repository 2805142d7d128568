import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

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
        // A claim that ends later than this one was made before the clock was set back.
        .where((eb) => eb.or([eb('passes.next_at', '<=', now), eb('passes.next_at', '>', next)])),
    )
    .returning('name')
    .executeTakeFirst()
  return claimed !== undefined
}
