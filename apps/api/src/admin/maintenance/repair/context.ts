import type { Database } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { FinalBlock } from '../../../domain/smart-balance/ledger/final-block.ts'

/** What a comparison of one network stands on. */
export interface RepairContext {
  readonly database: Kysely<Database>
  readonly network: Network
  /** Addresses in lower case. */
  readonly accounts: readonly string[]
  /** Only what is in final blocks is compared: of later ones the worker takes care. */
  readonly final: FinalBlock
  readonly now: Date
}

/** How many values a filter, or a multicall, takes at once. */
const chunkSize = 200

export function chunksOf<T>(items: readonly T[], size: number = chunkSize): T[][] {
  const chunks: T[][] = []
  for (let start = 0; start < items.length; start += size) chunks.push(items.slice(start, start + size))
  return chunks
}
