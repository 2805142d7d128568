import type { AccountDeployment } from '@lanyard/accounts'
import type { Database } from '@lanyard/database'
import type { Networks } from '@lanyard/networks'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Checkpoint } from '../../../platform/checkpoint.ts'
import type { Env } from '../../../platform/environment/env.ts'
import type { Keys } from '../../../platform/keys/keys.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import type { CallerContext } from '../../accounts/callers/caller.ts'
import type { LivePolicies } from '../../gas-policies/live-policies.ts'
import type { OperationDependencies } from '../../operations/dependencies.ts'
import type { OrderCheckpointName, SettlementCheckpointName } from './checkpoints.ts'

/** The dependencies of the smart balance. */
export interface SmartBalanceServices {
  readonly env: Env
  readonly keys: Keys
  readonly log: Logger
  readonly now: () => Date
  readonly database: Kysely<Database>
  readonly networks: Networks
  /** The contracts that new accounts are created with. */
  readonly accountDeployment: AccountDeployment
  readonly operations: OperationDependencies
  /** Add a gauge with `metrics.addGauge`. */
  readonly metrics: Metrics
  readonly checkpoint: Checkpoint<OrderCheckpointName | SettlementCheckpointName>
}

/** The context of a call that may spend a balance. */
export interface SpenderContext extends CallerContext {
  readonly services: SmartBalanceServices & CallerContext['services']
  readonly project: { readonly policies: Pick<LivePolicies, 'list'> }
}
