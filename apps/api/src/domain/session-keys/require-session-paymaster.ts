import type { Session } from '@lanyard/session-keys'
import { isAddressEqual, size, slice } from 'viem'
import type { Payer } from '../operations/build-request.ts'
import { sessionRejected } from './session-rejected.ts'

/**
 * A session's operation must be paid by the account, or by the one paymaster that the session names.
 *
 * @throws SESSION_REFUSED, OtherPaymaster
 */
export function requireSessionPaymaster(session: Session, { draft }: Pick<Payer, 'draft'>): void {
  if (size(draft) < 20) return
  const paymaster = slice(draft, 0, 20)
  if (isAddressEqual(paymaster, session.paymaster)) return
  throw sessionRejected({
    rule: 'OtherPaymaster',
    message: `The session does not allow the paymaster ${paymaster}.`,
  })
}
