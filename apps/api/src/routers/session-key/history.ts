import { endpoints } from '@lanyard/contracts'
import { type Database, olderThan, pageEnd } from '@lanyard/database'
import { sessionKeyId } from '@lanyard/session-keys'
import { type Kysely, sql } from 'kysely'
import { type Address, type Hex, isAddress, numberToHex } from 'viem'
import type { Wallet } from '../../domain/accounts/accounts/kind.ts'
import { findWallet } from '../../domain/accounts/accounts/wallet.ts'
import { callsOf, toActivityEntry } from '../../domain/operations/track/operation-history.ts'
import { sessionCalls, spentBy } from '../../domain/session-keys/spent-by.ts'
import { implement } from '../../pipeline/implement.ts'

export const history = implement(endpoints.sessionKey.history, async (input, { services }) => {
  const { database, networks, reads } = services
  const only = input.network === undefined ? undefined : networks.get(input.network).chainId
  const wallet = await findWallet(database, input.walletAddress)
  const end = pageEnd(input)
  const key = await toStoredKey(database, wallet, input.sessionKey)
  if (key === undefined) return { history: [] }
  const rows = await reads.read((replica) => {
    let query = replica
      .selectFrom('every_operation')
      .selectAll()
      .where('account', '=', wallet.address.toLowerCase())
      .where(storedKey, '=', key)
      .where('session_key', 'is not', null)
      .where('signed_at', 'is not', null)
      .orderBy('signed_at', 'desc')
      .orderBy('user_op_hash', 'desc')
      .limit(input.limit)
    if (only !== undefined) query = query.where('network', '=', only)
    if (end) query = query.where(olderThan({ time: 'signed_at', id: 'user_op_hash' }, end))
    return query.execute()
  })
  return {
    history: rows.map((row) => {
      const calls = sessionCalls(callsOf(row, wallet))
      return { ...toActivityEntry(row, calls), spent: row.success === true ? spentBy(calls) : [] }
    }),
  }
})

type Key = Address | { readonly x: bigint; readonly y: bigint }

/** The key as the column's JSON says it in text. PostgreSQL puts a space after each colon and comma. */
const storedKey = sql<string>`session_key->>'key'`
const textOf = (key: Key): string =>
  typeof key === 'string' ? key : `{"x": "${numberToHex(key.x)}", "y": "${numberToHex(key.y)}"}`

/** The text of a key. An id is a hash of it: undefined if no key of the account has it. */
async function toStoredKey(
  database: Kysely<Database>,
  wallet: Wallet,
  key: Key | { readonly keyId: Hex },
): Promise<string | undefined> {
  if (typeof key === 'string' || !('keyId' in key)) return textOf(key)
  const found = await Promise.all(
    (['operations', 'archived_operations'] as const).map((table) => findKeys(database, table, wallet)),
  )
  return found.flat().find((text) => sessionKeyId(parseKey(text)) === key.keyId.toLowerCase())
}

/** The keys of an account, found by one look into the index for each: it may have signed a million operations with one. */
async function findKeys(
  database: Kysely<Database>,
  table: 'operations' | 'archived_operations',
  { address }: Wallet,
): Promise<readonly string[]> {
  const ofAccount = sql`from ${sql.table(table)}
    where account = ${address.toLowerCase()} and session_key is not null and signed_at is not null`
  const { rows } = await sql<{ text: string }>`
    with recursive found as (
      select (select ${storedKey} ${ofAccount} order by ${storedKey} limit 1) as text
      union all
      select (select ${storedKey} ${ofAccount} and ${storedKey} > found.text order by ${storedKey} limit 1)
      from found where found.text is not null
    )
    select text from found where text is not null`.execute(database)
  return rows.map(({ text }) => text)
}

function parseKey(text: string): Key {
  if (isAddress(text)) return text
  const { x, y }: { x: string; y: string } = JSON.parse(text)
  return { x: BigInt(x), y: BigInt(y) }
}
