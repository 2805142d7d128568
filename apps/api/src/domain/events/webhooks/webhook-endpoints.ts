import { randomBytes } from 'node:crypto'
import { type Database, inTransaction, publishEvents, type WebhookEndpointRow } from '@lanyard/database'
import { type Kysely, sql, type Transaction } from 'kysely'
import { createSecrets, reencryptSecrets, rotateSecrets, type SecretsOwner } from './webhook-secrets.ts'
import { parseTarget, type TargetPolicy } from './webhook-target.ts'

export interface NewWebhookEndpoint {
  /** Name of the API key that it belongs to. */
  readonly keyName: string
  readonly url: string
  /** For example, `operation.included` or `operation.*`; empty: all. */
  readonly types: readonly string[]
  /** Empty: all. */
  readonly accounts: readonly string[]
}

/**
 * Registers a URL for all events from now on: earlier ones get their positions first, if the worker has not
 * assigned them yet.
 *
 * @returns the id and the signing secret, which is not shown again
 * @throws TargetRefused
 */
export async function createWebhookEndpoint(
  database: Kysely<Database>,
  { keyName, url, types, accounts }: NewWebhookEndpoint,
  {
    now,
    encryptionKey,
    ...policy
  }: TargetPolicy & Pick<SecretsOwner, 'encryptionKey' | 'olderKeys'> & { readonly now: Date },
): Promise<{ readonly id: string; readonly secret: string }> {
  const target = parseTarget(url, policy)
  const id = `whe_${randomBytes(9).toString('base64url')}`
  const { secret, stored } = createSecrets({ id, encryptionKey })
  await publishEvents(database, now)
  await database
    .insertInto('webhook_endpoints')
    .values({
      ...{ id, key_name: keyName, url: target.href, created_at: now },
      types: JSON.stringify(types),
      accounts: JSON.stringify(accounts.map((address) => address.toLowerCase())),
      secrets: JSON.stringify(stored),
    })
    .execute()
  return { id, secret }
}

/** The part of an endpoint that may be shown; it never includes the secrets. */
export type ListedWebhookEndpoint = Omit<WebhookEndpointRow, 'secrets'> & {
  readonly pending: number
  readonly missed: number
}

export const listWebhookEndpoints = (database: Kysely<Database>): Promise<ListedWebhookEndpoint[]> =>
  database
    .selectFrom('webhook_endpoints as endpoint')
    .select(['id', 'key_name', 'url', 'types', 'accounts', 'created_at', 'failing_since', 'failures'])
    .select(['next_attempt_at', 'disabled_at', 'disabled_reason'])
    .select((eb) =>
      (['pending', 'missed'] as const).map((state) =>
        eb
          .selectFrom('webhook_deliveries as delivery')
          .whereRef('delivery.endpoint_id', '=', 'endpoint.id')
          .where('delivery.state', '=', state)
          .select(sql<number>`count(*)::int4`.as('count'))
          .as(state),
      ),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute() as Promise<ListedWebhookEndpoint[]> // counts are never null

/** @returns the new secret; undefined for an unknown endpoint */
export const rotateWebhookSecret = (
  database: Kysely<Database>,
  owner: SecretsOwner & { readonly now: Date },
): Promise<string | undefined> =>
  inTransaction(database, async (transaction) => {
    const row = await transaction
      .selectFrom('webhook_endpoints')
      .select('secrets')
      .where('id', '=', owner.id)
      .forUpdate()
      .executeTakeFirst()
    if (!row) return undefined
    const { secret, stored } = rotateSecrets(row.secrets, owner)
    await transaction
      .updateTable('webhook_endpoints')
      .set({ secrets: JSON.stringify(stored) })
      .where('id', '=', owner.id)
      .execute()
    return secret
  })

/** The result for each endpoint's secrets; `current` ones had been encrypted with the first key before. */
export interface Reencrypted {
  readonly reencrypted: readonly string[]
  readonly current: readonly string[]
  readonly unreadable: readonly string[]
}

/** Encrypts the secrets of all endpoints with the first key, so that the older ones are not needed any more. */
export const reencryptWebhookSecrets = (
  database: Kysely<Database>,
  keys: Omit<SecretsOwner, 'id'>,
): Promise<Reencrypted> =>
  inTransaction(database, async (transaction) => {
    const rows = await transaction
      .selectFrom('webhook_endpoints')
      .select(['id', 'secrets'])
      .orderBy('id')
      .forUpdate()
      .execute()
    const ids = { reencrypted: [] as string[], current: [] as string[], unreadable: [] as string[] }
    for (const { id, secrets } of rows) {
      const again = reencryptSecrets(secrets, { id, ...keys })
      if (again === undefined) ids.current.push(id)
      else if (again === 'unreadable') ids.unreadable.push(id)
      else {
        await transaction
          .updateTable('webhook_endpoints')
          .set({ secrets: JSON.stringify(again) })
          .where('id', '=', id)
          .execute()
        ids.reencrypted.push(id)
      }
    }
    return ids
  })

/**
 * Stops the deliveries to an endpoint: pending events, and events that occur while it is disabled, are
 * missed.
 *
 * @returns whether it was enabled
 */
export const disableWebhookEndpoint = (
  database: Kysely<Database>,
  id: string,
  { now, reason }: { readonly now: Date; readonly reason: string },
): Promise<boolean> =>
  inTransaction(database, async (transaction) => {
    // The publisher holds a lock on this row: no delivery is queued as pending in between.
    await transaction.selectFrom('event_positions').select('last').forUpdate().execute()
    const { numUpdatedRows } = await transaction
      .updateTable('webhook_endpoints')
      .set({ disabled_at: now, disabled_reason: reason })
      .where('id', '=', id)
      .where('disabled_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await transaction
      .updateTable('webhook_deliveries')
      .set({ state: 'missed' })
      .where('endpoint_id', '=', id)
      .where('state', '=', 'pending')
      .execute()
    return true
  })

/** Why an endpoint is disabled, held until the transaction ends; null if it is not. */
export async function disabledReason(transaction: Transaction<Database>, id: string): Promise<string | null> {
  const row = await transaction
    .selectFrom('webhook_endpoints')
    .select('disabled_reason')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row?.disabled_reason ?? null
}

/** @returns whether it was disabled */
export async function enableWebhookEndpoint(database: Kysely<Database>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('webhook_endpoints')
    .set({
      ...{ disabled_at: null, disabled_reason: null },
      ...{ failing_since: null, failures: 0, next_attempt_at: null },
    })
    .where('id', '=', id)
    .where('disabled_at', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** @returns whether it existed */
export async function removeWebhookEndpoint(database: Kysely<Database>, id: string): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom('webhook_endpoints')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Stops the deliveries for a revoked key.
 *
 * @returns the endpoints that were enabled
 */
export async function disableWebhooksOfKey(
  database: Kysely<Database>,
  keyName: string,
  now: Date,
): Promise<readonly string[]> {
  const rows = await database
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('key_name', '=', keyName)
    .where('disabled_at', 'is', null)
    .execute()
  for (const { id } of rows) await disableWebhookEndpoint(database, id, { now, reason: 'KEY_REVOKED' })
  return rows.map(({ id }) => id)
}
