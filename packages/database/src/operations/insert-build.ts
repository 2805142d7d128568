import { LanyardError } from '@lanyard/contracts'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, NewOperationRow, OperationRow } from '../schema.ts'
import { batched, perDatabase } from '../statements.ts'

/**
 * Writes a build. If the identical operation is built again with the same nonce and fees, it keeps its row
 * and its first builder.
 *
 * @throws OPERATION_IN_FLIGHT if the same operation is already signed
 */
export async function insertBuild(transaction: Transaction<Database>, row: NewOperationRow): Promise<void> {
  const inserted = await transaction
    .insertInto('operations')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('user_op_hash')
        .doUpdateSet({
          built_by: sql`coalesce(operations.built_by, excluded.built_by)`,
          built_at: row.built_at,
          build_expires_at: row.build_expires_at,
          reason_code: null,
          reason_message: null,
        })
        .where('operations.signature', 'is', null),
    )
    .returning('user_op_hash')
    .executeTakeFirst()
  if (inserted) return
  throw new LanyardError('OPERATION_IN_FLIGHT', {
    message: 'This operation is already signed and in progress.',
    details: { userOpHash: row.user_op_hash },
  })
}

interface PlainBuild {
  readonly row: NewOperationRow
  /** The account's version when its nonces were read. */
  readonly version: bigint
}

/**
 * The same as {@link insertBuild} without a transaction, for a build that nothing else is written with. It
 * writes nothing if the account was locked, or an operation signed, since its version was read. Concurrent
 * calls share one statement, which is atomic for each caller.
 *
 * @returns false if nothing was written: the caller then reads the account again, under its lock
 */
export const insertPlainBuild = (database: Kysely<Database>, build: PlainBuild): Promise<boolean> =>
  insertPlainBuilds(database)(build)

const insertPlainBuilds = perDatabase((database) =>
  batched(async (all: readonly PlainBuild[]): Promise<boolean[]> => {
    // One per account: the next one's version would already be outdated.
    const builds = [...new Map(all.map((one) => [one.row.account, one])).values()]
    const accounts = builds.map(({ row }) => row.account)
    const versions = builds.map(({ version }) => version)
    const { rows } = await sql<{ user_op_hash: string }>`with read as (
        select * from unnest(${accounts}::text[], ${versions}::int8[]) as read (account, version)
      ), locked as materialized (
        -- In one order, so that two processes do not wait for each other.
        select address from accounts where address = any(${accounts}::text[])
        order by address for no key update
      ), unchanged as (
        update accounts set version = accounts.version + 1
        from read join locked on locked.address = read.account
        where accounts.address = read.account and accounts.version + accounts.signatures = read.version
        returning accounts.address
      )
      insert into operations (${plainColumns})
      select ${plainColumns} from jsonb_populate_recordset(null::operations, ${toJson(builds)}::jsonb)
      join unchanged on unchanged.address = account
      on conflict (user_op_hash) do update set
        built_by = coalesce(operations.built_by, excluded.built_by), built_at = excluded.built_at,
        build_expires_at = excluded.build_expires_at, reason_code = null, reason_message = null
      where operations.signature is null
      returning user_op_hash`.execute(database)
    const written = new Set(rows.map((row) => row.user_op_hash))
    return all.map((one) => builds.includes(one) && written.has(one.row.user_op_hash))
  }),
)

/** The columns of a build; the others have their defaults. */
const plainColumns = sql.raw(
  `user_op_hash, account, network, entry_point, nonce_key, nonce_sequence, user_op, safe_op_hash, valid_after,
  valid_until, sign_mode, session_key, value, deploys, replaces, built_by, state, built_at, build_expires_at`,
)

/** Integers as strings: a JSON number above 2^53 would lose digits. */
const toJson = (builds: readonly PlainBuild[]): string =>
  JSON.stringify(
    builds.map(({ row }) => row),
    (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
  )

/** The columns that depend on who signs the operation and on its validity. */
export type SignedTerms = Pick<OperationRow, 'safe_op_hash' | 'valid_after' | 'valid_until' | 'sign_mode'>

/** Restores the terms of a build that its owner replaced with a signature that was never sent. */
export async function restoreTerms(
  transaction: Transaction<Database>,
  userOpHash: string,
  { safe_op_hash, valid_after, valid_until, sign_mode }: SignedTerms,
): Promise<void> {
  await transaction
    .updateTable('operations')
    .set({ safe_op_hash, valid_after, valid_until, sign_mode })
    .where('user_op_hash', '=', userOpHash)
    .where('signature', 'is', null)
    .execute()
}
