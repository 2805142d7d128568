import { type Address, isAddressEqual, zeroAddress } from 'viem'
import type { Session } from '../session/session.ts'

/** What an owner wants to know at once about a session key. */
export type SessionWarning = 'emptied-at-once' | 'fails-often'

/** An operation of a session key, as `GET /smart-account/session-key/history` lists it. */
export interface SessionAction {
  readonly state: string
  readonly success?: boolean | undefined
  readonly spent: readonly {
    /** Absent: the native token. */
    readonly token?: Address | undefined
    /** Base units. */
    readonly amount: string
  }[]
}

/** So many of the latest operations count. */
export const actionsOfWarnings = 10
const manyFailures = 3

const failed = ({ state, success }: SessionAction) =>
  state === 'dropped' || state === 'expired' || success === false

/**
 * Whether one operation took a whole allowance, and whether the key keeps failing, as after a theft of it.
 *
 * @param actions - newest first
 */
export function sessionWarnings(
  { allowances }: Pick<Session, 'allowances'>,
  actions: readonly SessionAction[],
): readonly SessionWarning[] {
  const recent = actions.slice(0, actionsOfWarnings)
  const isEmptied = allowances.some(({ token, amount }) =>
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
