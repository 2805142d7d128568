import { type Kysely, sql } from 'kysely'

/**
 * An imported account has an address of its own in its deployment. Its owners are on the chain, so no column names one: an EOA
 * may own it besides its own account. Nobody reads the old rows again, since each of them meets the new condition as well.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table accounts drop constraint accounts_check, add constraint accounts_check check (
      case when deployment ->> 'kind' = 'eip7702' or deployment ? 'address'
        then eoa_address is null and passkey_x is null
      else (eoa_address is null) = (passkey_x is not null) end
    ) not valid`.execute(db)
}
