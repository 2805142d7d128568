import { listApiKeys } from '../../../domain/accounts/api-keys/list-api-keys.ts'
import { openCliDatabase } from '../open-cli-database.ts'
import { createOutput } from '../output.ts'

/** `lanyard keys list`: ids, never keys. Those of API_KEYS are not among them. */
export async function listKeys({ json }: { readonly json?: boolean }): Promise<void> {
  await using database = await openCliDatabase()
  const keys = await listApiKeys(database.db)
  const output = createOutput({ json })
  for (const { id, kind, name, origins, created_at, revoked_at } of keys) {
    const state = revoked_at ? `revoked ${revoked_at.toISOString()}` : `since ${created_at.toISOString()}`
    output.say([id, kind.padEnd(11), name, state, ...origins].join('  '))
  }
  if (keys.length === 0) output.say('No key was made yet.')
  output.finish({
    keys: keys.map(({ id, kind, name, origins, created_at, revoked_at }) => ({
      id,
      kind,
      name,
      origins,
      createdAt: created_at,
      revokedAt: revoked_at,
    })),
  })
}
