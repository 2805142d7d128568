import { currentMeter } from '../../../platform/log/current-request.ts'

/** Bytes of a user, their account and a passkey, with indexes. */
const accountBytes = 2_304

/**
 * Charges a new account to who asks for it, because accounts are kept forever.
 *
 * @throws RATE_LIMITED when too many were created from the caller's address or network today
 */
export function reserveAccount(): void {
  currentMeter()?.reserveSpace('accounts', accountBytes).charge(accountBytes)
}
