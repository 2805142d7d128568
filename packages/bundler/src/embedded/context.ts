import type { Address } from 'viem'
import {
  defaultSenderSettings,
  type SenderContext,
  type SenderSettings,
  type SenderStep,
  senderSteps,
} from '../sender/context.ts'
import type { NonceState } from '../sender/settle-transactions.ts'
import type { KnownDebts } from './debts.ts'
import type { RememberedSenders } from './foreign-senders.ts'
import type { RecentSimulations } from './recent-simulations.ts'

/** How a relayer works. Times in milliseconds. */
export interface RelayerSettings extends SenderSettings {
  readonly maxOperationsPerBundle: number
  /** The least time between two comparisons of what bundles cost and earned. */
  readonly auditEvery: number
  /** An operation is dropped after this many reverted transactions that contained only that operation. */
  readonly maxReverts: number
}

export const defaultRelayerSettings: RelayerSettings = {
  ...defaultSenderSettings,
  maxOperationsPerBundle: 32,
  auditEvery: 10_000,
  maxReverts: 3,
}

/** The relayer's steps between `settled` and `signed`, in addition to those of every sender. */
const batchSteps = [
  /** Only the table records that operations wait, so they are picked again. */
  'batch-picked',
  'batch-simulated',
] as const

type RelayerStep = SenderStep | (typeof batchSteps)[number]

export type CheckpointName = `relayer:${RelayerStep}`

/** Where the process may die during a drive. Tests kill it at each of them. */
export const checkpoints: readonly CheckpointName[] = [...senderSteps, ...batchSteps].map(
  (step) => `relayer:${step}` as const,
)

/** Called between the steps of the relayer. */
export type Checkpoint = (name: CheckpointName) => void | Promise<void>

/** The context of every step of the embedded bundler. */
export interface EmbeddedContext extends SenderContext {
  /** Our paymasters on the network, in lower case. */
  readonly ownPaymasters: readonly string[]
  readonly checkpoint: (step: RelayerStep) => void | Promise<void>
  readonly settings: RelayerSettings
  /** Senders whose validation may run foreign code, as far as this process has seen; lower case. */
  readonly rememberedSenders: RememberedSenders
  readonly knownDebts: KnownDebts
  readonly recentSimulations: RecentSimulations
  /** By relayer: its nonces as the last pass of this process left them, and the fence of that pass. */
  readonly recentNonces: Map<Address, { readonly fence: number; readonly nonces: NonceState }>
}
