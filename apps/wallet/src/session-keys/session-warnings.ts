import { isAddressEqual, zeroAddress } from 'viem'
import type { GrantedSession } from './granted-session.ts'
import type { SessionAction } from './use-session-history.ts'

/** What an owner wants to know at once about a session key. */
export type SessionWarning = 'emptied-at-once' | 'fails-often'

/** So many of the latest operations count. */
const latest = 10
const manyFailures = 3

const failed = ({ state, success }: SessionAction) => state === 'dropped' || success === false

/** Whether one operation took a whole allowance, and whether the key keeps failing, as after a theft of it. */
export function sessionWarnings(
  { session }: Pick<GrantedSession, 'session'>,
  actions: readonly SessionAction[],
): readonly SessionWarning[] {
  const recent = actions.slice(0, latest)
  const isEmptied = session.allowances.some(({ token, amount }) =>
    recent.some(({ spent }) => {
      const taken = spent.filter((part) => isAddressEqual(part.token ?? zeroAddress, token))
      return amount > 0n && taken.reduce((sum, part) => sum + BigInt(part.amount), 0n) >= amount
    }),
  )
  return [
    ...(isEmptied ? (['emptied-at-once'] as const) : []),
    ...(recent.filter(failed).length >= manyFailures ? (['fails-often'] as const) : []),
  ]
}
