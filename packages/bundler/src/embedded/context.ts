import type { Address } from 'viem'
import type { SenderContext } from '../sender/context.ts'
import type { RelayerStep } from './checkpoints.ts'
import type { RelayerSettings } from './settings.ts'

/** What every step of the embedded bundler works with. */
export interface EmbeddedContext extends SenderContext {
  readonly entryPoint: Address
  readonly checkpoint: (step: RelayerStep) => void | Promise<void>
  readonly settings: RelayerSettings
}
