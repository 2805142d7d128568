import type { Address } from 'viem'
import type { SenderContext } from '../sender/context.ts'
import type { NonceState } from '../sender/settle-transactions.ts'
import type { RelayerStep } from './checkpoints.ts'
import type { KnownDebts } from './debts.ts'
import type { ExternalSenders } from './external-senders.ts'
import type { RelayerSettings } from './settings.ts'

/** The context of every step of the embedded bundler. */
export interface EmbeddedContext extends SenderContext {
  readonly checkpoint: (step: RelayerStep) => void | Promise<void>
  readonly settings: RelayerSettings
  /** Senders whose validation may run foreign code, as far as this process has seen; lower case. */
  readonly foreignSenders: ExternalSenders
  readonly knownDebts: KnownDebts
  /**
   * By relayer and caller: the nonce of the caller's last operation whose validation may run foreign code. Another one
   * waits until its outcome is known.
   */
  readonly foreignNonces: Map<string, number>
  /** By relayer: its nonces as the last pass of this process left them, and the fence of that pass. */
  readonly recentNonces: Map<Address, { readonly fence: number; readonly nonces: NonceState }>
}
