import type { ApiKey } from '../../../domain/accounts/api-keys/api-key.ts'
import { createApiKey } from '../../../domain/accounts/api-keys/create-api-key.ts'
import { CliError } from '../cli-error.ts'
import { openCliDatabase } from '../open-cli-database.ts'
import { createOutput } from '../output.ts'

interface CreateOptions {
  readonly kind: ApiKey['kind']
  readonly origin: readonly string[]
  readonly json?: boolean
}

/** `lanyard keys create`: the only moment at which anyone sees the key. */
export async function createKey(name: string, { kind, origin: origins, json }: CreateOptions): Promise<void> {
  if ((kind === 'publishable') !== origins.length > 0) {
    throw new CliError(
      'ORIGIN',
      kind === 'publishable'
        ? 'A publishable key is for certain pages: name them by --origin.'
        : 'A secret key must never be in a page: --origin is for --kind publishable.',
    )
  }
  await using database = await openCliDatabase()
  const { id, key } = await createApiKey(database.db, { kind, name, origins }, new Date())
  const output = createOutput({ json })
  output.say(key)
  output.say('')
  output.say(`This ${kind} key of ${name} is not shown again. Its id is ${id}.`)
  output.finish({ id, key, kind, name, origins })
}
