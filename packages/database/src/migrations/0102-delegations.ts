import { type Kysely, sql } from 'kysely'

/** The signed EIP-7702 authorisation that an operation of an EOA carries until the EOA is delegated. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table operations add column eip7702_auth jsonb`.execute(db)
  await sql`alter table archived_operations add column eip7702_auth jsonb`.execute(db)
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = 'operations'::regclass and attnum > 0 and not attisdropped order by attnum`.execute(db)
  const columns = sql.join(rows.map(({ name }) => sql.ref(name)))
  await sql`
    create or replace view every_operation as
    select ${columns} from operations union all select ${columns} from archived_operations`.execute(db)
}
