/**
 * Where the process may die around a mutation with an Idempotency-Key, besides within it, and what a retry finds
 * then. Tests kill at each of them, and at those of a build.
 */
export const checkpoints = [
  /** Claimed, nothing done: the claim lapses, and the retry runs. */
  'idempotency:claimed',
  /** The answer is written, the caller has not heard it: the retry gets it. */
  'idempotency:answered',
] as const

export type CheckpointName = (typeof checkpoints)[number]
