import type { Network } from '@lanyard/networks'
import type { Session } from '@lanyard/session-keys'
import { type Address, type Hex, isAddressEqual, size, slice } from 'viem'
import { sessionRefused } from './session-refused.ts'

/**
 * The account pays for a session's operation, or the one paymaster that the session names.
 *
 * @throws SESSION_REFUSED, OtherPaymaster
 */
export function requireSessionPaymaster(
  { config }: Network,
  session: Session,
  paymasterData: 'sponsored' | Hex,
): void {
  const paymaster = paymasterOf(paymasterData, config.smartBalance)
  if (paymaster === undefined || isAddressEqual(paymaster, session.paymaster)) return
  throw sessionRefused({
    rule: 'OtherPaymaster',
    message: `The session does not allow the paymaster ${paymaster}.`,
  })
}

/** Undefined when the account pays, or when nobody could sponsor, which `findPayer` says better. */
function paymasterOf(
  paymasterData: 'sponsored' | Hex,
  smartBalance: Address | undefined,
): Address | undefined {
  if (paymasterData === 'sponsored') return smartBalance
  return size(paymasterData) < 20 ? undefined : slice(paymasterData, 0, 20)
}
