import { sql } from 'kysely'
import type { PasskeyService } from './passkey-service.ts'

/** Every row that a ceremony can change, for a comparison before and after a refused ceremony. */
export async function contentsOf({ database }: PasskeyService): Promise<string> {
  const [users, accounts, credentials, challenges, operations, sponsored] = await Promise.all([
    database.selectFrom('users').selectAll().orderBy('id').execute(),
    database.selectFrom('accounts').select('address').orderBy('address').execute(),
    database.selectFrom('credentials').selectAll().orderBy('id').execute(),
    database.selectFrom('challenges').selectAll().orderBy('challenge').execute(),
    database
      .selectFrom('operations')
      .select(['user_op_hash', 'state', 'signature'])
      // A worker may delete expired builds at any time, so they are left out.
      .where(
        sql<boolean>`not (state = 'built' and build_expires_at <= (select max(built_at) from operations))`,
      )
      .orderBy('user_op_hash')
      .execute(),
    database.selectFrom('sponsorship_days').selectAll().execute(),
  ])
  return JSON.stringify({ users, accounts, credentials, challenges, operations, sponsored }, (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
}
