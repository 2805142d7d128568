import { revokeApiKey } from '../../../domain/accounts/api-keys/revoke-api-key.ts'
import { CliError } from '../cli-error.ts'
import { openCliDatabase } from '../open-cli-database.ts'
import { createOutput } from '../output.ts'

/** `lanyard keys revoke`. */
export async function revokeKey(id: string, { json }: { readonly json?: boolean }): Promise<void> {
  await using database = await openCliDatabase()
  // The argument is not repeated: it may be the whole key.
  if (!(await revokeApiKey(database.db, id, new Date()))) {
    throw new CliError('UNKNOWN_KEY', 'No key that still holds has this id. `lanyard keys list` shows them.')
  }
  const output = createOutput({ json })
  output.say(`${id} ends within seconds.`)
  output.finish({ id, revoked: true })
}
