import type { Address } from 'viem'
import type { SenderContext } from '../sender/context.ts'
import type { RelayerStep } from './checkpoints.ts'
import type { RelayerSettings } from './settings.ts'

/** The context of every step of the embedded bundler. */
export interface EmbeddedContext extends SenderContext {
  readonly entryPoint: Address
  readonly checkpoint: (step: RelayerStep) => void | Promise<void>
  readonly settings: RelayerSettings
}
