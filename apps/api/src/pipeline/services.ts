import type { CheckpointName as BundlerCheckpointName, SenderStep } from '@lanyard/bundler'
import type { ReadReplica } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { ApiKeys } from '../domain/accounts/api-keys/api-keys.ts'
import type { Tokens } from '../domain/accounts/tokens/tokens.ts'
import type { EventStreams } from '../domain/events/streams/event-streams.ts'
import type { CheckpointName as OperationCheckpointName } from '../domain/operations/dependencies.ts'
import type { CheckpointName as RecoveryCheckpointName } from '../domain/owners/messages/checkpoints.ts'
import type { Prices } from '../domain/prices/prices.ts'
import type { SmartBalanceServices } from '../domain/smart-balance/model/services.ts'
import type { Checkpoint } from '../platform/checkpoint.ts'
import type { Tracing } from '../platform/tracing/span.ts'
import type { CallCosts } from './costs/call-costs.ts'
import type { CheckpointName as IdempotencyCheckpointName } from './idempotency/checkpoints.ts'
import type { Project } from './project.ts'
import type { SharedReads } from './shared-reads.ts'

/** A step of one of the lists that crash tests go through. */
export type CheckpointName =
  | IdempotencyCheckpointName
  | OperationCheckpointName
  | RecoveryCheckpointName
  | BundlerCheckpointName
  | `refill:${SenderStep}`
  | Parameters<SmartBalanceServices['checkpoint']>[0]

/** The dependencies of endpoints and transports: created once at start, passed to every request. */
export interface Services extends Omit<SmartBalanceServices, 'checkpoint' | 'sharedReads'> {
  /** One round trip to the database; rejects when it does not answer. */
  readonly pingDatabase: () => Promise<void>
  /** The networks as attestors see them: by RPCs of their own, where they are configured. */
  readonly attestorNetworks: Networks
  /** For lists that a standby may answer: search, history, activity. */
  readonly reads: ReadReplica
  /** For work that no request asks for, and for requests, which find it in their context. */
  readonly project: Project
  readonly tokens: Tokens
  readonly callCosts: CallCosts
  readonly sharedReads: SharedReads
  readonly prices: Prices
  readonly apiKeys: ApiKeys
  readonly eventStreams: EventStreams
  readonly tracing: Tracing
  /** Aborted when the service starts to close. */
  readonly closing: AbortSignal
  /**
   * Called between the steps that move money: tests end the process there, otherwise it does nothing.
   */
  readonly checkpoint: Checkpoint<CheckpointName>
}
