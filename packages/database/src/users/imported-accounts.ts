import { usernameKey, usernameSkeleton } from '@lanyard/contracts'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database, ImportedAccountsTable } from '../schema.ts'
import { perDatabase } from '../statements.ts'
import { toReservation } from './create-eoa-account.ts'

/** What an operator's file says about an EOA. */
export interface ImportRow {
  /** In lower case. */
  readonly owner: string
  /** Which account of the EOA gets the name. */
  readonly kind: ImportedAccountsTable['account_kind']
  readonly externalId: string | undefined
  /** As `newUsername` parses it. */
  readonly username: string | undefined
}

/**
 * What became of a row: `added`; `updated`, if the EOA had a reservation that said something else; `unchanged`. Or why it was
 * rejected: the name belongs to another user or reservation (`name-taken`) or looks like theirs (`looks-taken`), another EOA
 * has the external id, the EOA has signed already, which made its name its own, or the address is a contract account here.
 */
export type ImportVerdict =
  | 'added'
  | 'updated'
  | 'unchanged'
  | 'name-taken'
  | 'looks-taken'
  | 'external-id-taken'
  | 'claimed'
  | 'not-an-eoa'

interface ImportOptions {
  readonly now: Date
  /** When rows that are added lapse. A row that is imported again keeps its end. */
  readonly expiresAt: Date
  /** Whether to write nothing. */
  readonly dryRun: boolean
}

/**
 * Reserves the names of EOAs. It writes no account: whoever has the key creates it as always. Each row stands or falls alone.
 *
 * @param rows - at most some hundred, no two with the same owner, external id or look of the name
 * @returns one verdict for each row
 */
export async function importAccounts(
  transaction: Transaction<Database>,
  rows: readonly ImportRow[],
  { now, expiresAt, dryRun }: ImportOptions,
): Promise<readonly ImportVerdict[]> {
  // One import at a time, so that what is read here holds until it is written.
  await sql`select pg_advisory_xact_lock(hashtext('imported_accounts'))`.execute(transaction)
  if (!dryRun) await deleteWaiting(transaction, sql<boolean>`expires_at <= ${now}::timestamptz`)
  const owners = rows.map(({ owner }) => owner)
  const ids = rows.flatMap(({ externalId }) => externalId ?? [])
  const names = rows.flatMap(({ username }) => username ?? [])
  const [known, holders, contracts, reserved] = [
    await transaction
      .selectFrom('imported_accounts')
      .leftJoin('users', 'users.id', 'imported_accounts.user_id')
      .selectAll('imported_accounts')
      .select('users.username')
      .where(
        sql<boolean>`(eoa_address = any(${owners}::text[]) or external_id = any(${ids}::text[]))
          and (claimed_at is not null or expires_at > ${now}::timestamptz)`,
      )
      .forUpdate('imported_accounts')
      .execute(),
    await transaction
      .selectFrom('users')
      .select(['id', 'username', 'username_key', 'username_skeleton'])
      .where(
        sql<boolean>`(username_key = any(${names.map(usernameKey)}::text[])
            or username_skeleton = any(${names.map(usernameSkeleton)}::text[]))
          and not exists (
            select from imported_accounts
            where user_id = users.id and claimed_at is null and expires_at <= ${now}::timestamptz
          )`,
      )
      .execute(),
    await transaction
      .selectFrom('accounts')
      .select('address')
      .where(sql<boolean>`address = any(${owners}::text[]) and deployment ->> 'kind' is null`)
      .execute(),
    // A user with a login is creating the passkey for it.
    await transaction
      .selectFrom('identity_names')
      .select(['username_key', 'username_skeleton'])
      .where(
        sql<boolean>`username_skeleton = any(${names.map(usernameSkeleton)}::text[])
          and expires_at > ${now}::timestamptz`,
      )
      .execute(),
  ]
  const byOwner = new Map(known.map((row) => [row.eoa_address, row]))
  const byId = new Map(known.map((row) => [row.external_id, row]))
  const byKey = new Map(holders.map((row) => [row.username_key, row]))
  const bySkeleton = new Map(holders.map((row) => [row.username_skeleton, row]))
  const byLogin = new Map(reserved.map((row) => [row.username_skeleton, row.username_key]))
  const isContract = new Set(contracts.map(({ address }) => address))

  const verdicts = rows.map((row): ImportVerdict => {
    const current = byOwner.get(row.owner)
    if (isContract.has(row.owner)) return 'not-an-eoa'
    if (row.externalId !== undefined && (byId.get(row.externalId) ?? current) !== current)
      return 'external-id-taken'
    // The name of a user who came is the user's own.
    const isNameChanged =
      current?.claimed_at && row.username === undefined ? false : !isSameName(row.username, current?.username)
    const isChanged = isNameChanged || current?.account_kind !== row.kind
    if (current?.claimed_at && isChanged) return 'claimed'
    if (isNameChanged && row.username !== undefined) {
      const holder = byKey.get(usernameKey(row.username)) ?? bySkeleton.get(usernameSkeleton(row.username))
      if (holder && holder.id !== current?.user_id)
        return isSameName(row.username, holder.username) ? 'name-taken' : 'looks-taken'
      const registering = byLogin.get(usernameSkeleton(row.username))
      if (registering !== undefined)
        return registering === usernameKey(row.username) ? 'name-taken' : 'looks-taken'
    }
    if (!current) return 'added'
    return isChanged || current.external_id !== (row.externalId ?? null) ? 'updated' : 'unchanged'
  })
  if (dryRun) return verdicts
  return write(transaction, rows, verdicts, { known: byOwner, now, expiresAt })
}

type KnownImport = ImportedAccountsTable & { readonly username: string | null }

async function write(
  transaction: Transaction<Database>,
  rows: readonly ImportRow[],
  verdicts: readonly ImportVerdict[],
  { known, now, expiresAt }: Omit<ImportOptions, 'dryRun'> & { readonly known: Map<string, KnownImport> },
): Promise<readonly ImportVerdict[]> {
  const changes = rows.flatMap((row, index) => {
    const verdict = verdicts[index]
    if (verdict !== 'added' && verdict !== 'updated') return []
    const current = known.get(row.owner)
    const isRenamed = !current?.claimed_at && !isSameName(row.username, current?.username)
    return [{ row, current, isRenamed, reserves: isRenamed ? toReservation(row.username, now) : undefined }]
  })
  // A reservation that keeps its look keeps its row, which holds the skeleton.
  const isRespelled = ({ current, reserves }: (typeof changes)[number]) =>
    current?.username !== null &&
    current?.username !== undefined &&
    reserves?.username_skeleton === usernameSkeleton(current.username)
  const reserving = changes.flatMap((change) =>
    change.reserves && !isRespelled(change) ? [change.reserves] : [],
  )
  const inserted = new Set(
    reserving.length === 0
      ? []
      : (
          await transaction
            .insertInto('users')
            .values(reserving)
            .onConflict((conflict) => conflict.doNothing())
            .returning('id')
            .execute()
        ).map(({ id }) => id),
  )
  // The others lost their name to a user who registered it in this moment.
  const lost = new Set(
    changes.filter((change) => change.reserves && !isRespelled(change) && !inserted.has(change.reserves.id)),
  )
  const added = changes.filter((change) => !change.current && !lost.has(change))
  if (added.length > 0) {
    await transaction
      .insertInto('imported_accounts')
      .values(
        added.map(({ row, reserves }) => ({
          ...{ eoa_address: row.owner, account_kind: row.kind, external_id: row.externalId ?? null },
          ...{ user_id: reserves?.id ?? null, imported_at: now, expires_at: expiresAt, claimed_at: null },
        })),
      )
      .execute()
  }
  for (const change of changes) {
    const { row, current, isRenamed, reserves } = change
    if (!current || lost.has(change)) continue
    const keepsUser = !isRenamed || isRespelled(change)
    await transaction
      .updateTable('imported_accounts')
      .set({
        ...{ account_kind: row.kind, external_id: row.externalId ?? null },
        user_id: keepsUser ? current.user_id : (reserves?.id ?? null),
      })
      .where('eoa_address', '=', row.owner)
      .execute()
    if (current.user_id === null || !isRenamed) continue
    if (keepsUser && row.username !== undefined) {
      await transaction
        .updateTable('users')
        .set({ username: row.username, username_key: usernameKey(row.username) })
        .where('id', '=', current.user_id)
        .execute()
    } else await transaction.deleteFrom('users').where('id', '=', current.user_id).execute()
  }
  return rows.map((row, index) =>
    [...lost].some((change) => change.row === row) ? 'looks-taken' : (verdicts[index] ?? 'unchanged'),
  )
}

const isSameName = (one: string | undefined, other: string | null | undefined) =>
  (one === undefined ? undefined : usernameKey(one)) ===
  (other === undefined || other === null ? undefined : usernameKey(other))

/**
 * Takes reservations back. What was claimed stays.
 *
 * @param owners - in lower case
 * @returns those that had one
 */
export async function withdrawImports(
  transaction: Transaction<Database>,
  owners: readonly string[],
): Promise<readonly string[]> {
  const rows = await deleteWaiting(transaction, sql<boolean>`eoa_address = any(${owners}::text[])`)
  return rows.map(({ eoa_address }) => eoa_address)
}

/**
 * Ends reservations that lapsed before a time.
 *
 * @returns how many, at most `limit`
 */
export async function deleteLapsedImports(
  db: Kysely<Database>,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const rows = await deleteWaiting(
      transaction,
      sql<boolean>`eoa_address in (
        select eoa_address from imported_accounts
        where claimed_at is null and expires_at <= ${before}::timestamptz
        order by expires_at limit ${limit})`,
    )
    return rows.length
  })
}

async function deleteWaiting(transaction: Transaction<Database>, condition: RawBuilder<boolean>) {
  const rows = await transaction
    .deleteFrom('imported_accounts')
    .where('claimed_at', 'is', null)
    .where(condition)
    .returning(['eoa_address', 'user_id'])
    .execute()
  const reservations = rows.flatMap(({ user_id }) => user_id ?? [])
  await transaction.deleteFrom('users').where(sql<boolean>`id = any(${reservations}::uuid[])`).execute()
  return rows
}

/** An account whose EOA was imported, and has proven its key. */
interface Claim {
  /** In lower case. */
  readonly owner: string
  /** The address of the account, in lower case. */
  readonly account: string
}

/** The account of the imported kind: the EOA itself, or the contract account whose first owner it is. */
const accountsOfImports = sql`
  select imported_accounts.eoa_address, accounts.address, accounts.user_id, accounts.signatures
  from imported_accounts join accounts
    on accounts.address = imported_accounts.eoa_address and accounts.deployment ->> 'kind' = 'eip7702'
  where imported_accounts.account_kind = 'eip7702' and imported_accounts.claimed_at is null
  union all
  select imported_accounts.eoa_address, accounts.address, accounts.user_id, accounts.signatures
  from imported_accounts join accounts on accounts.eoa_address = imported_accounts.eoa_address
  where imported_accounts.account_kind = 'safe' and imported_accounts.claimed_at is null`

/** The EOA behind which this process looks next. */
const claimed = perDatabase(() => ({ after: '' }))

/**
 * Gives accounts their imported names once something is signed for them: the first signature of an account is its first
 * owner's. Each call goes on with the next page of the imported EOAs, so that its work has a bound however many wait.
 *
 * @param limit - how many EOAs to look at, whether they wait or not
 * @returns the number of accounts
 */
export async function claimImports(
  db: Kysely<Database>,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<number> {
  const cursor = claimed(db)
  const { after } = cursor
  const { rows: pages } = await sql<{ last: string | null; read: number }>`
    select max(eoa_address) as last, count(*)::int4 as read from (
      select eoa_address from imported_accounts where eoa_address > ${after} order by eoa_address limit ${limit}
    ) as page`.execute(db)
  const { last = null, read = 0 } = pages[0] ?? {}
  cursor.after = last === null || read < limit ? '' : last
  if (last === null) return 0
  const { rows } = await sql<Claim>`
    select eoa_address as owner, address as account from (${accountsOfImports}) as waiting
    where eoa_address > ${after} and eoa_address <= ${last} and signatures > 0`.execute(db)
  for (const claim of rows) {
    await db.transaction().execute((transaction) => claimImport(transaction, claim, now))
  }
  return rows.length
}

/**
 * Gives an account the name and the external id that were imported for its EOA. The caller has seen that the EOA proved its
 * key. Its account counts as confirmed from then on.
 *
 * @returns whether something was imported for it that was not claimed
 */
export async function claimImport(
  transaction: Transaction<Database>,
  { owner, account }: Claim,
  now: Date,
): Promise<boolean> {
  const imported = await transaction
    .selectFrom('imported_accounts')
    .select(['eoa_address', 'user_id'])
    .where('eoa_address', '=', owner)
    .where('claimed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!imported) return false
  const { rows } = await sql<{ user_id: string }>`
    select user_id from (${accountsOfImports}) as waiting
    where eoa_address = ${owner} and address = ${account}`.execute(transaction)
  const [found] = rows
  if (!found) return false
  await transaction
    .updateTable('imported_accounts')
    .set({ user_id: found.user_id, claimed_at: now })
    .where('eoa_address', '=', owner)
    .execute()
  await transaction.updateTable('accounts').set({ confirmed: true }).where('address', '=', account).execute()
  if (imported.user_id === null) return true
  const reserved = await transaction
    .deleteFrom('users')
    .where('id', '=', imported.user_id)
    .returning(['username', 'username_key', 'username_skeleton', 'skeleton_version'])
    .executeTakeFirst()
  if (reserved) {
    await transaction.updateTable('users').set(reserved).where('id', '=', found.user_id).execute()
  }
  return true
}

/** What the operator imported about an account's user, or waits for an EOA. */
export interface ImportedAccount {
  /** The EOA, in lower case. */
  readonly owner: string
  readonly kind: ImportedAccountsTable['account_kind']
  readonly externalId: string | null
  /** The reserved name, or the name of the user. */
  readonly username: string | null
  readonly importedAt: Date
  readonly expiresAt: Date
  /** Null: it waits for its EOA. */
  readonly claimedAt: Date | null
  /** The account that has the name, in lower case; null while it waits. */
  readonly account: string | null
}

const imports = (db: Kysely<Database>) =>
  db
    .selectFrom('imported_accounts')
    .leftJoin('users', 'users.id', 'imported_accounts.user_id')
    .leftJoin('accounts', 'accounts.user_id', 'users.id')
    .select([
      'imported_accounts.eoa_address as owner',
      'account_kind as kind',
      'external_id as externalId',
      'users.username',
      'imported_at as importedAt',
      'expires_at as expiresAt',
      'claimed_at as claimedAt',
      'accounts.address as account',
    ])

/** Imported EOAs by their addresses, a page at a time. @param after - the last owner of the page before; '' for the first */
export const listImports = (
  db: Kysely<Database>,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly ImportedAccount[]> =>
  imports(db)
    .where('imported_accounts.eoa_address', '>', after)
    .orderBy('imported_accounts.eoa_address')
    .limit(limit)
    .execute()

/** Finds an import by the external id, by the user who claimed it, or by its EOA in lower case. */
export const findImport = (
  db: Kysely<Database>,
  by: { readonly externalId: string } | { readonly userId: string } | { readonly owner: string },
): Promise<ImportedAccount | undefined> => {
  const query = imports(db)
  if ('externalId' in by) return query.where('external_id', '=', by.externalId).executeTakeFirst()
  if ('owner' in by) return query.where('imported_accounts.eoa_address', '=', by.owner).executeTakeFirst()
  return query.where('imported_accounts.user_id', '=', by.userId).executeTakeFirst()
}
