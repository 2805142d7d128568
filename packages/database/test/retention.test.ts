import { readFileSync } from 'node:fs'
import { randomAddress } from '@lanyard/testing'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachEngine, freshDatabase } from '../src/testing/index.ts'

const page = readFileSync(new URL('../../../docs/scaling.md', import.meta.url), 'utf8')
const [, statement = ''] = /## Transactions of relayers[^#]*?```sql\n(.*?)```/s.exec(page) ?? []

describeEachEngine('old transactions of relayers', (engine) => {
  test('behavior: the statement of the page deletes them with their links, and nothing that is referred to', async () => {
    await using database = await freshDatabase(engine)
    const { db } = database
    const relayer = randomAddress().toLowerCase()
    const insert = (hash: string, state: string, audited: boolean, days: number) =>
      sql`insert into relayer_transactions
          (txn_hash, network, relayer, nonce, raw, gas_limit, max_fee_per_gas, max_priority_fee_per_gas, state, audited, created_at)
        values (${hash}, 1, ${relayer}, 0, '', 0, 0, 0, ${state}, ${audited}, now() - make_interval(days => ${days}::int4))`.execute(
        db,
      )
    await insert('old', 'mined', true, 91)
    await insert('lost', 'lost', false, 91)
    await insert('refill', 'mined', true, 91)
    await insert('unexamined', 'mined', false, 91)
    await insert('live', 'live', false, 91)
    await insert('young', 'mined', true, 89)
    await db.transaction().execute(async (transaction) => {
      await sql`set local session_replication_role = replica`.execute(transaction) // an operation has many columns
      await sql`insert into relayer_transaction_operations (txn_hash, position, user_op_hash)
        values ('old', 0, 'operation'), ('young', 0, 'operation')`.execute(transaction)
    })
    await sql`insert into relayer_refills (txn_hash, network, sender, nonce, relayer, amount, fee, created_at, final)
      values ('refill', 1, ${relayer}, 0, ${relayer}, 1, 1, now(), true)`.execute(db)

    await sql.raw(statement).execute(db)

    const left = async (table: 'relayer_transactions' | 'relayer_transaction_operations') => {
      const rows = await db.selectFrom(table).select('txn_hash').orderBy('txn_hash').execute()
      return rows.map(({ txn_hash }) => txn_hash)
    }
    expect(await left('relayer_transactions')).toEqual(['live', 'refill', 'unexamined', 'young'])
    expect(await left('relayer_transaction_operations')).toEqual(['young'])
  })
})
