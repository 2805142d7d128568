import type { Database } from '@lanyard/database'
import type { Transaction } from 'kysely'
import { isSecretKeyName, revokeApiKey } from '../../domain/accounts/api-keys/manage-api-keys.ts'
import { disableWebhooksOfKey } from '../../domain/events/webhooks/webhook-endpoints.ts'
import type { WriteAct } from './write-act.ts'

interface RevokedKey {
  readonly name: string
  /** Endpoints that belonged to it and were disabled, because it was the last key of its name. */
  readonly disabledWebhooks: readonly string[]
}

/** Revokes an API key forever, for the command and the console. @returns undefined when no valid key has this id */
export async function revokeKey(
  transaction: Transaction<Database>,
  id: string,
  { now, write }: { readonly now: Date; readonly write: WriteAct },
): Promise<RevokedKey | undefined> {
  const revoked = await revokeApiKey(transaction, id, now)
  if (!revoked) return undefined
  const { kind, name } = revoked
  const isLast = kind === 'secret' && !(await isSecretKeyName(transaction, name))
  const disabledWebhooks = isLast ? await disableWebhooksOfKey(transaction, name, now) : []
  await write({
    ...{ act: 'key.revoke', subject: id, before: { kind, name } },
    ...(disabledWebhooks.length > 0 && { after: { disabledWebhooks } }),
  })
  return { name, disabledWebhooks }
}
