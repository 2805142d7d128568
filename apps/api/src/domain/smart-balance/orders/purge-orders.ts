import { deleteOrders } from '@lanyard/database'
import { purgeInBatches } from '../../operations/build/purge-unsigned.ts'
import type { Purger } from '../../operations/operation-features.ts'

/**
 * Milliseconds that an order is kept after it was closed: orders that failed within a day count against an
 * account.
 */
const keepOrders = 24 * 60 * 60_000

/** Deletes orders that nobody signed in time. */
export const purgeOrders: Purger = (database, now) => {
  const before = new Date(now.getTime() - keepOrders)
  return purgeInBatches((limit) => deleteOrders(database, { before, limit }))
}
