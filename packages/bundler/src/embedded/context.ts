import type { Address } from 'viem'
import type { SenderContext } from '../sender/context.ts'
import type { NonceState } from '../sender/settle-transactions.ts'
import type { RelayerStep } from './checkpoints.ts'
import type { RelayerSettings } from './settings.ts'

/** The context of every step of the embedded bundler. */
export interface EmbeddedContext extends SenderContext {
  readonly entryPoint: Address
  readonly checkpoint: (step: RelayerStep) => void | Promise<void>
  readonly settings: RelayerSettings
  /** By relayer: its nonces as the last pass of this process left them, and the fence of that pass. */
  readonly recentNonces: Map<Address, { readonly fence: number; readonly nonces: NonceState }>
}
