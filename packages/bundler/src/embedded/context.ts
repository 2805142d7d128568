import type { Database } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Address } from 'viem'
import type { Checkpoint } from './checkpoints.ts'
import type { RelayerSettings } from './settings.ts'

/** What every step of the embedded bundler works with. */
export interface EmbeddedContext {
  readonly network: Network
  readonly database: Kysely<Database>
  readonly entryPoint: Address
  /** Names this process in relayer_leases. */
  readonly holder: string
  readonly now: () => Date
  readonly checkpoint: Checkpoint
  readonly settings: RelayerSettings
  /**
   * Since when this process has seen a transaction wait, by its hash: a measure of patience only, so it need not
   * survive the process. The row's own age would make a service that was down for long replace what it resends.
   */
  readonly seenWaiting: Map<string, Date>
}
