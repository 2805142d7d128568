import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'
import { createApiKey, type NewApiKey } from '../../domain/accounts/api-keys/manage-api-keys.ts'
import type { WriteAct } from './write-act.ts'

/** What is wrong with the origins or the scope of a key; undefined if nothing is. */
export function problemOfKey({
  kind,
  origins,
  scope = 'full',
}: Pick<NewApiKey, 'kind' | 'origins' | 'scope'>):
  | { readonly member: 'ORIGIN' | 'SCOPE'; readonly text: string }
  | undefined {
  if (kind === 'publishable' && origins.length === 0) {
    return { member: 'ORIGIN', text: 'A publishable key works only on certain pages: name their origins.' }
  }
  if (kind === 'secret' && origins.length > 0) {
    return {
      member: 'ORIGIN',
      text: 'A secret key must never be in a page: only a publishable key has origins.',
    }
  }
  if (kind === 'publishable' && scope !== 'full') {
    return {
      member: 'SCOPE',
      text: 'A publishable key is for users of pages: only a secret key has a scope.',
    }
  }
  return undefined
}

/** Makes an API key, for the command and the console. @returns the key itself, which cannot be read again */
export async function createKey(
  transaction: Transaction<Database>,
  key: NewApiKey,
  { now, write }: { readonly now: Date; readonly write: WriteAct },
): Promise<{ readonly id: string; readonly key: string }> {
  const created = await createApiKey(transaction, key, now)
  const { kind, name, origins, scope, project } = key
  await write({ act: 'key.create', subject: created.id, after: { kind, name, origins, scope, project } })
  return created
}
