/**
 * Points at which the process may die around a mutation with an Idempotency-Key, besides those within the
 * mutation, and what a retry then finds. Tests kill the process at each of them, and at those of a build.
 */
export const checkpoints = [
  /** The key is claimed but nothing is done: the claim expires, and the retry runs. */
  'idempotency:claimed',
  /** The answer is written but the caller has not received it: the retry gets it. */
  'idempotency:answered',
] as const

export type CheckpointName = (typeof checkpoints)[number]
