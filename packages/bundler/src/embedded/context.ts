import type { Address } from 'viem'
import type { SenderContext } from '../sender/context.ts'
import type { Lease } from '../sender/lease.ts'
import type { NonceState } from '../sender/settle-transactions.ts'
import type { RelayerStep } from './checkpoints.ts'
import type { FreshOperations } from './fresh-operations.ts'
import type { RelayerSettings } from './settings.ts'

/** A relayer in this process. */
export interface Turn {
  /** Where its nonces stand as of the lease that is held; undefined: to be read. */
  state: NonceState | undefined
  /**
   * Runs a pass, one at a time, while no other process may send for the relayer.
   *
   * @returns undefined when another process has the relayer, or took it over meanwhile
   */
  run<T>(pass: (lease: Lease) => Promise<T>): Promise<T | undefined>
}

/** What every step of the embedded bundler works with. */
export interface EmbeddedContext extends SenderContext {
  readonly entryPoint: Address
  readonly checkpoint: (step: RelayerStep) => void | Promise<void>
  readonly settings: RelayerSettings
  readonly fresh: FreshOperations
  readonly turnOf: (relayer: Address) => Turn
  /** What the next pass has to look at, besides what is fresh. */
  readonly due: {
    /** The queue in the table. */
    queue: boolean
    /** The relayer's transactions. */
    settling: boolean
    /** When the queue was read last, as `performance.now()`. */
    queueReadAt: number
  }
}
