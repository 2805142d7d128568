import { endpoints } from '@lanyard/contracts'
import { olderThan, pageEnd } from '@lanyard/database'
import { sql } from 'kysely'
import { numberToHex } from 'viem'
import { findWallet } from '../../domain/accounts/accounts/wallet.ts'
import { callsOf, toActivityEntry } from '../../domain/operations/activity-entry.ts'
import { sessionCalls, spentBy } from '../../domain/session-keys/spent-by.ts'
import { implement } from '../../pipeline/implement.ts'

export const history = implement(endpoints.sessionKey.history, async (input, { services }) => {
  const { database, networks, reads } = services
  const only = input.network === undefined ? undefined : networks.get(input.network).chainId
  const wallet = await findWallet(database, input.walletAddress)
  const end = pageEnd(input)
  const rows = await reads.read((replica) => {
    let query = replica
      .selectFrom('operations')
      .selectAll()
      .where('account', '=', wallet.address.toLowerCase())
      .where(sql<string>`session_key->>'key'`, '=', storedKey(input.sessionKey))
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

/** The key as the column's JSON says it in text. PostgreSQL puts a space after each colon and comma. */
const storedKey = (key: string | { readonly x: bigint; readonly y: bigint }): string =>
  typeof key === 'string' ? key : `{"x": "${numberToHex(key.x)}", "y": "${numberToHex(key.y)}"}`
