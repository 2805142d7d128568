import { sql } from 'kysely'

/**
 * Whether an operation's calls contain the selector of removeOwner or swapOwner (Safe 1.4.1). Other calls may contain the
 * same bytes. As the indices `operations_removing_owners` and `archived_operations_removing_owners` have it.
 */
export const mayRemoveOwners = sql<boolean>`
  (user_op->>'callData' like '%f8dc5dd9%' or user_op->>'callData' like '%e318b52b%')`
