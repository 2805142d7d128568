import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrate } from '../migrate.ts'
import { freshDatabase } from '../testing/index.ts'
import { migrations } from './index.ts'

const name = '0016-message-progress'

test('behavior: progress with changes and recoveries is kept, in the states of messages', async () => {
  await using database = await freshDatabase('pglite', { migrated: false })
  const { db } = database
  await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([one]) => one < name)))
  const at = sql`'2026-11-29'::timestamptz`
  for (const statement of [
    sql`insert into owner_changes (account, sequence, kind, data, signature, hash, sent_by, created_at)
      select 'a', n, '0x', '0x', '0x', 'change ' || n, 'shop', ${at} from generate_series(0, 2) as n`,
    sql`insert into owner_change_progress
        (account, sequence, network, state, reason, attempts, next_attempt_at, sent_at, applied_at)
      values ('a', 0, 1, 'final', null, 0, ${at}, ${at}, ${at}), ('a', 1, 1, 'applied', null, 0, ${at}, ${at}, ${at}),
        ('a', 2, 1, 'pending', 'BUDGET_SPENT', 3, ${at}, null, null)`,
    sql`insert into recoveries (account, hash, sequence, number, new_owners, head, sent_by, created_at)
      values ('a', 'start', 3, 1, '0x', '0x', 'shop', ${at}), ('a', 'back', 3, 2, null, '0x', 'shop', ${at})`,
    sql`insert into recovery_progress (account, hash, network, state, final, next_attempt_at, head, executed_at)
      values ('a', 'start', 1, 'executed', true, ${at}, '0x', ${at}), ('a', 'back', 1, 'pending', false, ${at}, null, null)`,
  ])
    await statement.execute(db)

  await migrate(db, migrations)

  const rows = await db
    .selectFrom('message_progress')
    .select(['hash', 'kind', 'state', 'final', 'reason', 'attempts', 'head'])
    .orderBy('executed_at', 'asc')
    .orderBy('hash')
    .execute()
  const none = { reason: null, attempts: 0, head: null }
  expect(rows).toEqual([
    { ...none, hash: 'change 0', kind: 'change', state: 'executed', final: true },
    { ...none, hash: 'change 1', kind: 'change', state: 'executed', final: false },
    { ...none, hash: 'start', kind: 'recovery', state: 'executed', final: true, head: '0x' },
    { ...none, hash: 'back', kind: 'cancellation', state: 'pending', final: false },
    {
      ...none,
      hash: 'change 2',
      kind: 'change',
      state: 'pending',
      final: false,
      reason: 'BUDGET_SPENT',
      attempts: 3,
    },
  ])
})
