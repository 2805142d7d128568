export type { JobsPGlite } from './engines/pglite-jobs.ts'
export type { AroundStatement } from './engines/watched-dialect.ts'
export { isUnavailable } from './errors/is-unavailable.ts'
export { isUniqueViolation } from './errors/is-unique-violation.ts'
export type { DatabaseLog } from './log.ts'
export { migrate } from './migrate.ts'
export {
  type Engine,
  type JobsStore,
  type OpenDatabase,
  type OpenDatabaseOptions,
  openDatabase,
} from './open-database.ts'
export { dropFollowers } from './operations/drop-followers.ts'
export { isOrderHeld, isOrderNonceUsed, isOrderSigned } from './orders/held-orders.ts'
export { assertUsable, type MigrationStatus, readMigrations } from './read-migrations.ts'
export type * from './schema.ts'
export { type CreatedAccount, createEoaAccount, type NewEoaAccount } from './users/create-eoa-account.ts'
export { type AccountWithUser, findAccount } from './users/find-account.ts'
export { findUserByName } from './users/find-user-by-name.ts'
export { findUsernameConflict, type UsernameConflict } from './users/find-username-conflict.ts'
export { type FoundUser, type SearchOptions, searchUsers } from './users/search-users.ts'
