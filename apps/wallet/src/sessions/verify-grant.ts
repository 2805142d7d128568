import type { Call } from '@lanyard/accounts'
import { encodeGrant, type SessionKey, type Session as SessionLimits } from '@lanyard/session-keys'
import type { Address } from 'viem'
import { isSameCall } from '../calls/is-same-call.ts'
import { WalletError } from '../errors/wallet-error.ts'

/** What a grant has to be. */
export interface ExpectedGrant {
  readonly account: Address
  readonly sessionKeys: Address
  readonly key: SessionKey
  /** As this device compiled it. */
  readonly session: SessionLimits
}

/**
 * Checks that the calls grant exactly this session to this key, byte for byte, and do nothing else. Before the first
 * session the contract becomes an owner and a module besides; whether that is still to be done only the chain knows,
 * and doing it twice reverts.
 *
 * @returns the calls to sign
 * @throws WalletError CALLS_DIFFER
 */
export function verifyGrant(calls: readonly Call[], expected: ExpectedGrant): readonly Call[] {
  const forms = [true, false].flatMap((isOwner) =>
    [true, false].map((isModule) => encodeGrant({ ...expected, isOwner, isModule })),
  )
  const form = forms.find(
    (candidate) =>
      candidate.length === calls.length && candidate.every((call, index) => isSameCall(calls[index], call)),
  )
  if (!form) throw new WalletError('CALLS_DIFFER')
  return form
}
