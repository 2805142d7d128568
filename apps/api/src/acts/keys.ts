import {
  createApiKey,
  isSecretKeyName,
  type NewApiKey,
  revokeApiKey,
} from '../domain/accounts/api-keys/manage-api-keys.ts'
import { disableWebhooksOfKey } from '../domain/events/webhooks/webhook-endpoints.ts'
import type { ActContext } from './act.ts'

/** What is wrong with the origins or the scope of a key; undefined if nothing is. */
export function problemOfKey({
  kind,
  origins,
  scope = 'full',
}: Pick<NewApiKey, 'kind' | 'origins' | 'scope'>):
  | { readonly member: 'ORIGIN' | 'SCOPE'; readonly text: string }
  | undefined {
  if (kind === 'publishable' && origins.length === 0) {
    return {
      member: 'ORIGIN',
      text: 'A publishable key works only in certain pages and apps: name their origins.',
    }
  }
  if (kind === 'secret' && origins.length > 0) {
    return {
      member: 'ORIGIN',
      text: 'A secret key must never be in a page or an app: only a publishable key has origins.',
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

/** @returns the key itself, which cannot be read again; empty if it was made before */
export async function createKey(
  { transaction, now, record, made }: ActContext,
  key: NewApiKey,
): Promise<{ readonly id: string; readonly key: string }> {
  const created = await createApiKey(transaction, key, now, made && { ...made, key: '' })
  const { kind, name, origins, scope, project } = key
  await record({ act: 'key.create', subject: created.id, after: { kind, name, origins, scope, project } })
  return created
}

interface RevokedKey {
  readonly name: string
  /** Endpoints that belonged to it and were disabled, because it was the last key of its name. */
  readonly disabledWebhooks: readonly string[]
}

/** Revokes an API key forever. @returns undefined when no valid key has this id */
export async function revokeKey(
  { transaction, now, record }: ActContext,
  id: string,
): Promise<RevokedKey | undefined> {
  const revoked = await revokeApiKey(transaction, id, now)
  if (!revoked) return undefined
  const { kind, name } = revoked
  const isLast = kind === 'secret' && !(await isSecretKeyName(transaction, name))
  const disabledWebhooks = isLast ? await disableWebhooksOfKey(transaction, name, now) : []
  await record({
    ...{ act: 'key.revoke', subject: id, before: { kind, name } },
    ...(disabledWebhooks.length > 0 && { after: { disabledWebhooks } }),
  })
  return { name, disabledWebhooks }
}
