import type { Choice } from './match-policies.ts'

/** The result of one policy for a request. */
export interface PolicyVerdict {
  readonly policy: string
  readonly result: 'pays' | 'refuses' | 'denies' | 'does_not_match' | 'not_reached'
  readonly reason?: string
}

/**
 * Describes which policy pays, or why none does.
 *
 * @param rejection - why the policy that matches does not pay: its budgets are checked once the cost is known.
 */
export function describeChoice(
  { verdicts, paying, denying }: Choice,
  rejection?: string,
): readonly PolicyVerdict[] {
  return verdicts.map(({ policy, mismatch }) => {
    const { id, effect } = policy
    if (mismatch) return { policy: id, result: 'does_not_match', reason: mismatch.message }
    if (effect === 'deny') return { policy: id, result: 'denies' }
    if (denying) return { policy: id, result: 'not_reached', reason: `${denying.id} denies the operation.` }
    if (policy !== paying) return { policy: id, result: 'not_reached', reason: 'An earlier policy decides.' }
    return rejection === undefined
      ? { policy: id, result: 'pays' }
      : { policy: id, result: 'refuses', reason: rejection }
  })
}
