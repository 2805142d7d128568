import { type Kysely, sql } from 'kysely'

/**
 * Final operations of past months. `operations` itself cannot be partitioned by time: its hash would no longer be unique, and
 * nothing could reference it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table archived_operations (
      like operations including defaults,
      sponsorship jsonb,
      bundles jsonb not null,
      archived_at timestamptz not null,
      primary key (user_op_hash, signed_at)
    ) partition by range (signed_at)`.execute(db)
  await sql`create index archived_operations_activity on archived_operations (account, signed_at)`.execute(db)
  await sql`
    create index archived_operations_history on archived_operations (account, included_at desc)
    where state = 'included'`.execute(db)
  await sql`
    create index archived_operations_by_session on archived_operations (account, (session_key->>'key'), signed_at desc)
    where session_key is not null`.execute(db)
  await sql`create index operations_settled on operations (signed_at) where final and signed_at is not null`.execute(
    db,
  )
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = 'operations'::regclass and attnum > 0 and not attisdropped order by attnum`.execute(db)
  const columns = sql.join(rows.map(({ name }) => sql.ref(name)))
  await sql`
    create view every_operation as
    select ${columns} from operations union all select ${columns} from archived_operations`.execute(db)
}
