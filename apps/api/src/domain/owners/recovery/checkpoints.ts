/**
 * Points at which the process may die while it starts or executes a recovery, and what the next pass then does. The
 * chain decides the next step, so each of them happens once. Tests kill the process at each of them.
 */
const recoveryCheckpoints = [
  /** Nothing is sent and nothing is paid: the next attempt begins anew. */
  'recovery:start-prepared',
  /** The attempt is in the row and in the budgets, but nothing is sent: the next attempt sends it. */
  'recovery:start-paid',
  /** The transaction is sent, but the row does not show it: the next attempt finds the recovery on the chain. */
  'recovery:start-sent',
  /** As at the start. */
  'recovery:execution-prepared',
  'recovery:execution-paid',
  'recovery:execution-sent',
] as const

export type CheckpointName = (typeof recoveryCheckpoints)[number]
