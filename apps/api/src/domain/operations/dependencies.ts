import type { Bundler } from '@lanyard/bundler'
import type { Database, OperationRow } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { CheckpointName } from './checkpoints.ts'
import type { OperationFeatures } from './operation-features.ts'
import type { PayerHooks } from './payer.ts'

/** The dependencies of the operation service. */
export interface OperationDependencies {
  readonly database: Kysely<Database>
  readonly networks: Networks
  /** The bundler of a configured network. */
  readonly bundlerFor: (chainId: number) => Bundler
  readonly watcher: InclusionWatcher
  readonly payerHooks: PayerHooks
  readonly features: OperationFeatures
  readonly now: () => Date
  readonly log: Logger
  /** Called between the steps that move money. Tests end the process there; otherwise it does nothing. */
  readonly checkpoint: (name: CheckpointName) => Promise<void>
  /** Milliseconds that submit waits for inclusion. */
  readonly inclusionTimeout: number
}

export interface InclusionWatcher {
  /**
   * Waits until a signed operation is included, dropped or expired, or until the timeout or shutdown. The
   * result is the row's state at that time. While waiting, it drives the bundler.
   */
  wait(row: OperationRow, timeout: number): Promise<OperationRow>
  /** Resolves every waiter with the current row and accepts no new ones. */
  close(): Promise<void>
}
