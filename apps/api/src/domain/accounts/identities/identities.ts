import { randomUUID } from 'node:crypto'
import { LanyardError, usernameKey, usernameSkeleton } from '@lanyard/contracts'
import type { Database, IdentitiesTable } from '@lanyard/database'
import type { Kysely, Selectable, Transaction } from 'kysely'
import type { Logins, VerifiedLogin } from './logins.ts'

/** Logins of one account. */
const maxOfUser = 5

/** Milliseconds for which a login without an account keeps a name to itself. */
const reservationLifetime = 15 * 60_000

/** Names that the logins of one provider reserve at the same time. A provider that is taken over takes no more. */
const maxReserved = 1_000

export type IdentityRow = Selectable<IdentitiesTable>

/**
 * The link of a login, with whichever secret it was recognised. Where a process without the newest secret linked it a second time, the
 * newest secret decides, so that a login always means the same account.
 */
async function findRow(
  database: Kysely<Database>,
  { hashes }: VerifiedLogin,
): Promise<IdentityRow | undefined> {
  const rows = await database
    .selectFrom('identities')
    .selectAll()
    .where('hash', 'in', [...hashes])
    .execute()
  return hashes.flatMap((hash) => rows.find((row) => row.hash === hash) ?? [])[0]
}

/** The link of a login. @throws UNKNOWN_IDENTITY */
export async function requireIdentity(
  database: Kysely<Database>,
  login: VerifiedLogin,
): Promise<IdentityRow> {
  const row = await findRow(database, login)
  if (row) return row
  throw new LanyardError('UNKNOWN_IDENTITY')
}

/** Records that a login was used; from then on the newest secret recognises it. */
export async function recordIdentityUse(
  database: Kysely<Database>,
  { id }: IdentityRow,
  { hashes }: VerifiedLogin,
  now: Date,
): Promise<void> {
  await database
    .updateTable('identities')
    .set({ hash: hashes[0], used_at: now })
    .where('id', '=', id)
    .execute()
}

/** As its owner sees it. */
export const toIdentity = (logins: Logins, { id, issuer, linked_at, used_at }: IdentityRow) => ({
  ...{ id, issuer, name: logins.nameOf(issuer), linkedAt: linked_at.toISOString() },
  lastUsedAt: used_at?.toISOString() ?? null,
})

/** A user's logins, oldest first. */
export const listIdentities = (database: Kysely<Database>, userId: string): Promise<IdentityRow[]> =>
  database
    .selectFrom('identities')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('linked_at')
    .orderBy('id')
    .execute()

/** @throws IDENTITY_TAKEN if a login has an account already */
export async function requireUnlinked(database: Kysely<Database>, login: VerifiedLogin): Promise<void> {
  if (await findRow(database, login)) throw new LanyardError('IDENTITY_TAKEN')
}

/**
 * Links a login to a user. The same link again changes nothing.
 *
 * @throws IDENTITY_TAKEN if another user has it, TOO_MANY_IDENTITIES
 */
export async function linkIdentity(
  transaction: Transaction<Database>,
  login: VerifiedLogin,
  { userId, now }: { readonly userId: string; readonly now: Date },
): Promise<IdentityRow> {
  // Two links of one user wait for each other, so that both count.
  await transaction.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
  const known = await findRow(transaction, login)
  if (known?.user_id === userId) return known
  if (known) throw new LanyardError('IDENTITY_TAKEN')
  const { length } = await listIdentities(transaction, userId)
  if (length >= maxOfUser) throw new LanyardError('TOO_MANY_IDENTITIES')
  const row = await transaction
    .insertInto('identities')
    .values({
      ...{ hash: login.hashes[0], id: randomUUID(), issuer: login.issuer },
      ...{ user_id: userId, linked_at: now, used_at: null },
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  // Another user linked it at this moment.
  if (!row) throw new LanyardError('IDENTITY_TAKEN')
  return row
}

/**
 * Reserves a name for a login, instead of the one that it had before.
 *
 * @returns until when
 * @throws USERNAME_TAKEN if another login has it, RATE_LIMITED
 */
export async function reserveName(
  transaction: Transaction<Database>,
  { issuer, hashes: [hash] }: VerifiedLogin,
  { username, now }: { readonly username: string; readonly now: Date },
): Promise<Date> {
  const expires_at = new Date(now.getTime() + reservationLifetime)
  const names = { username_key: usernameKey(username), username_skeleton: usernameSkeleton(username) }
  await transaction
    .deleteFrom('identity_names')
    .where((where) => where.or([where('expires_at', '<=', now), where('hash', '=', hash)]))
    .execute()
  const { count } = await transaction
    .selectFrom('identity_names')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('issuer', '=', issuer)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxReserved) {
    throw new LanyardError('RATE_LIMITED', {
      message: 'Too many people register with this login at the moment. Try again in a few minutes.',
      details: { retryAfter: 60 },
    })
  }
  const reserved = await transaction
    .insertInto('identity_names')
    .values({ hash, issuer, ...names, expires_at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('hash')
    .executeTakeFirst()
  if (!reserved) throw nameTaken()
  return expires_at
}

const nameTaken = () =>
  new LanyardError('USERNAME_TAKEN', {
    message: 'Another person is just registering this name, or one that looks the same. Choose another one.',
  })

/**
 * Whether a login has reserved this name, or one that looks like it.
 *
 * @param by - the login that may have it
 */
export async function isReserved(
  database: Kysely<Database>,
  username: string,
  { now, by }: { readonly now: Date; readonly by?: VerifiedLogin },
): Promise<boolean> {
  const row = await database
    .selectFrom('identity_names')
    .select('hash')
    .where('username_skeleton', '=', usernameSkeleton(username))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined && !by?.hashes.includes(row.hash)
}

/** @throws USERNAME_TAKEN if {@link isReserved} */
export async function requireUnreserved(...given: Parameters<typeof isReserved>): Promise<void> {
  if (await isReserved(...given)) throw nameTaken()
}

/** The subject of a registration that a login began: the answer must come from the same login. */
export const registrationSubject = ({ hashes: [hash] }: VerifiedLogin, username: string): string =>
  `identity ${hash} ${usernameKey(username)}`

/** Ends the reservation of a login, once its account exists. */
export const releaseName = (transaction: Transaction<Database>, { hashes }: VerifiedLogin) =>
  transaction
    .deleteFrom('identity_names')
    .where('hash', 'in', [...hashes])
    .execute()

/** Unlinks a login, with everything that it asked for. @throws UNKNOWN_IDENTITY */
export async function unlinkIdentity(
  transaction: Transaction<Database>,
  { id, userId }: { readonly id: string; readonly userId: string },
): Promise<IdentityRow> {
  const row = await transaction
    .deleteFrom('identities')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst()
  if (row) return row
  throw new LanyardError('UNKNOWN_IDENTITY', { message: 'No such login is linked to this account.' })
}
