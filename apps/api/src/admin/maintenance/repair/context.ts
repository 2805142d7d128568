import type { Database } from '@lanyard/database'
import type { AgreedBlock, Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'

/** The dependencies of a comparison on one network. */
export interface RepairContext {
  readonly database: Kysely<Database>
  readonly network: Network
  /** Addresses in lower case. */
  readonly accounts: readonly string[]
  /** Only final blocks are compared: the worker handles later ones. */
  readonly final: AgreedBlock
  readonly now: Date
  /** Months (`2026-01`, UTC) that were archived and detached: the database does not have their operations. */
  readonly detachedMonths: readonly string[]
}

/** Maximum number of values in a filter or a multicall. */
const chunkSize = 200

export function chunksOf<T>(items: readonly T[], size: number = chunkSize): T[][] {
  const chunks: T[][] = []
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size))
  return chunks
}
