import { assertUsable, findLookAlikes, migrate, readMigrations } from '@lanyard/database'
import type { Command } from 'commander'
import { runCliAct } from '../cli-audit.ts'
import { CommandEnd, exitCodes } from '../exit-codes.ts'
import { ofDatabase, withManual } from '../manual.ts'
import { openCliDatabaseAsItIs } from '../open-cli-database.ts'
import { withJson } from '../options.ts'
import { createOutput } from '../output.ts'

const about = `
Replicas of this version or the previous one may run meanwhile. Migrations only add. One process at a time applies
them, all or nothing, and nobody waits longer than half a second for a table. If this version has other rules for
what usernames look like, stored names follow them: those that look like an older one are listed, and keep working. The
service does the same at start, unless MIGRATE_ON_START is false.`

/** `lanyard migrate [status]`. */
export function addMigrate(group: Command): void {
  const migrate = withJson(group).option('--dry-run', 'show what would be applied, and apply nothing')
  withManual(migrate, {
    about,
    environment: ofDatabase,
    examples: ['migrate --dry-run', 'migrate'],
  }).action((options: MigrateOptions) => runMigrations(options))
  const status = withJson(migrate.command('status').description('show what is applied and what is pending'))
  withManual(status, {
    environment: ofDatabase,
    endings: { unfinished: 'something is pending' },
    examples: ['migrate status'],
  }).action((options: MigrateOptions) => showMigrations(options))
}

/** As parsed from the command line. */
interface MigrateOptions {
  readonly json?: boolean
  readonly dryRun?: boolean
}

/** `lanyard migrate`. */
async function runMigrations({ json, dryRun = false }: MigrateOptions): Promise<void> {
  const output = createOutput({ json })
  await using database = await openCliDatabaseAsItIs()
  const before = await readMigrations(database.db)
  assertUsable(before)
  for (const name of before.pending) output.progress(`  ${dryRun ? 'would apply' : 'applying'} ${name}`)
  // If another process is migrating, this one waits and finds less to do.
  const applied = dryRun ? [] : await migrate(database.db)
  // Each migration is a transaction of its own, and the first ones make the log.
  if (applied.length > 0) {
    await runCliAct(database, ({ record }) => record({ act: 'schema.migrate', after: { applied } }))
  }
  const { pending, newer } = await readMigrations(database.db)
  output.say(describe({ applied, pending, dryRun }))
  // They keep working: a name is never changed for its user.
  const lookAlikes = pending.length > 0 ? [] : await findLookAlikes(database.db)
  for (const name of lookAlikes) output.say(`The username ${JSON.stringify(name)} looks like an older one.`)
  output.finish({ dryRun, applied, pending, newer, lookAlikes })
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

/** `lanyard migrate status`. */
async function showMigrations({ json }: { readonly json?: boolean }): Promise<void> {
  const output = createOutput({ json })
  await using database = await openCliDatabaseAsItIs()
  const { applied, pending, newer } = await readMigrations(database.db)
  for (const { name, at } of applied) {
    output.say(
      `${name.padEnd(32)} applied ${at.toISOString()}${newer.includes(name) ? ', by a newer version' : ''}`,
    )
  }
  for (const name of pending) output.say(`${name.padEnd(32)} pending`)
  output.finish({ applied, pending, newer })
  if (pending.length > 0) throw new CommandEnd(exitCodes.unfinished)
}
