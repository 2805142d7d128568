import { endpoints } from '@lanyard/contracts'
import { findUsernameConflict, migrate, openDatabase } from '@lanyard/database'

/** The schemas and the path of the compared endpoint. */
export const { query, output, path } = endpoints.user.checkUsername

/** The service's own query, on the PostgreSQL named on the command line, or otherwise on a new PGlite. */
export async function openLookup() {
  const database = await openDatabase({ url: process.argv[2] })
  await migrate(database.db)
  return async ({ username }: { username: string }) => {
    const exists = (await findUsernameConflict(database.db, username)) === 'exists'
    return { value: exists, message: exists ? 'This username exists' : 'This username does not exist' }
  }
}
