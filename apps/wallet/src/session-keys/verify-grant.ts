import type { Call } from '@lanyard/accounts'
import { encodeGrant, type SessionKey, type Session as SessionLimits } from '@lanyard/session-keys'
import type { Address } from 'viem'
import { isSameCall } from '../calls/is-same-call.ts'
import { WalletError } from '../errors/wallet-error.ts'

/** The expected grant. */
export interface ExpectedGrant {
  readonly account: Address
  readonly sessionKeys: Address
  readonly key: SessionKey
  /** The session as compiled on this device. */
  readonly session: SessionLimits
}

/**
 * Verifies byte for byte that the calls grant exactly this session to this key and do nothing else. Before
 * the first session, they also make the contract an owner and a module. Only the chain knows whether that is
 * still needed, and doing it twice reverts.
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
