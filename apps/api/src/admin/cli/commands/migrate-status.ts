import { readMigrations } from '@lanyard/database'
import { CommandEnd, exitCodes } from '../exit-codes.ts'
import { openCliDatabaseAsItIs } from '../open-cli-database.ts'
import { createOutput } from '../output.ts'

/** `lanyard migrate status`. */
export async function showMigrations({ json }: { readonly json?: boolean }): Promise<void> {
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
