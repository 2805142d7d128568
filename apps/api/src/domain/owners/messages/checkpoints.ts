/**
 * Points at which the process may die while it applies what owners and guardians signed, and what the next pass then does. The
 * chain decides the next step, so each of them happens once. Tests kill the process at each of them.
 */
const points = [
  /** Nothing is sent and nothing is paid: the next attempt begins anew. */
  'prepared',
  /** The attempt is in the row and in the budgets, but nothing is sent: the next attempt sends it. */
  'paid',
  /** The transaction is sent, but the row does not show it: the next attempt finds its effect on the chain. */
  'sent',
] as const

/** What one transaction does: owners' changes, the start of a recovery or a cancellation by guardians, its execution. */
export type StepName = 'change' | 'start' | 'execution'

export type CheckpointName = `message:${StepName}-${(typeof points)[number]}`
