import type { CheckpointName as BundlerCheckpointName } from '@lanyard/bundler'
import type { CheckpointName as OperationCheckpointName } from '../domain/operations/checkpoints.ts'
import type { OrderCheckpointName } from '../domain/smart-balance/orders/checkpoints.ts'
import type { CheckpointName as SettlementCheckpointName } from '../domain/smart-balance/settlement/checkpoints.ts'
import type { CheckpointName as IdempotencyCheckpointName } from '../pipeline/idempotency/checkpoints.ts'
import { dieAtOnce } from './crash-points.ts'
import type { Env } from './environment/env.ts'

/** A step of one of the lists that tests go through: one that stands in none of them does not compile. */
export type CheckpointName =
  | IdempotencyCheckpointName
  | OperationCheckpointName
  | OrderCheckpointName
  | SettlementCheckpointName
  | BundlerCheckpointName

export type Checkpoint = (name: CheckpointName) => Promise<void>

/** A checkpoint that ends the process as `kill -9` does where CRASH_AT names it, so that tests see what is left. */
export function createCheckpoint({ CRASH_AT }: Pick<Env, 'CRASH_AT'>): Checkpoint {
  if (CRASH_AT === undefined) return async () => {}
  return async (name) => {
    if (name === CRASH_AT) dieAtOnce()
  }
}
