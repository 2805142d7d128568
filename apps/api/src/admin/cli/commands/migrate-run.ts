import { assertUsable, migrate, readMigrations } from '@lanyard/database'
import { openCliDatabaseAsItIs } from '../open-cli-database.ts'
import { createOutput } from '../output.ts'

/** As parsed from the command line. */
export interface MigrateOptions {
  readonly json?: boolean
  readonly dryRun?: boolean
}

/** `lanyard migrate`. */
export async function runMigrations({ json, dryRun = false }: MigrateOptions): Promise<void> {
  const output = createOutput({ json })
  await using database = await openCliDatabaseAsItIs()
  const before = await readMigrations(database.db)
  assertUsable(before)
  for (const name of before.pending) output.progress(`  ${dryRun ? 'would apply' : 'applying'} ${name}`)
  // Another process may be at it: then it waits, and finds less to do.
  const applied = dryRun ? [] : await migrate(database.db)
  const { pending, newer } = await readMigrations(database.db)
  output.say(describe({ applied, pending, dryRun }))
  output.finish({ dryRun, applied, pending, newer })
}

function describe({
  applied,
  pending,
  dryRun,
}: {
  readonly applied: readonly string[]
  readonly pending: readonly string[]
  readonly dryRun: boolean
}): string {
  if (dryRun && pending.length > 0) return `Would apply ${pending.join(', ')}.`
  if (applied.length === 0) return 'Nothing to do: the database is up to date.'
  return `Applied ${applied.join(', ')}.`
}
