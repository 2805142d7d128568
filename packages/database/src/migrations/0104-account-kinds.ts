import { type Kysely, sql } from 'kysely'

/** Accounts that are EOAs themselves (EIP-7702): their deployment names the kind, and their address is their owner. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table accounts drop constraint accounts_check,
    add constraint accounts_check check (
      case when deployment ->> 'kind' = 'eip7702' then eoa_address is null and passkey_x is null
      else (eoa_address is null) = (passkey_x is not null) end
    )`.execute(db)
}
