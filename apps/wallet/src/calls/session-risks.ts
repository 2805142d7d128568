import type { Currency } from '@lanyard/calls'
import { findAssetFunction } from '@lanyard/calls'
import type { Session as SessionLimits } from '@lanyard/session-keys'
import { type Address, isAddressEqual, zeroAddress } from 'viem'

/** Ways in which a session could cost more than its owner expects. */
export type SessionRisk =
  | 'session-exceeds-holdings'
  | 'session-to-anyone'
  | 'session-moves-tokens'
  | 'session-uncounted'
  | 'session-unknown-token'
  | 'session-long'

/** Seconds. A month is enough for an app in regular use. */
const long = 31 * 86_400

/**
 * The warnings about a session before it is granted.
 *
 * @param held - what the account holds of a token (zero address: the native currency) on this network;
 * undefined if that is unknown
 */
export function findSessionRisks(
  { rules, allowances, validAfter, validUntil }: SessionLimits,
  currencies: readonly Currency[],
  held: (token: Address) => bigint | undefined = () => undefined,
): readonly { readonly kind: SessionRisk; readonly level: 'high' | 'note' }[] {
  const calls = rules.filter(({ kind }) => kind === 'call')
  const moves = calls.some(({ selector }) => findAssetFunction(selector)?.effect === 'move')
  const toAnyone = rules.some(
    ({ kind, target, counterparty }) =>
      (kind === 'native' && isAddressEqual(target, zeroAddress)) ||
      (kind === 'token' && isAddressEqual(counterparty, zeroAddress)),
  )
  const isUnknown = allowances.some(
    ({ token }) =>
      !isAddressEqual(token, zeroAddress) &&
      currencies.every((currency) => !currency.token || !isAddressEqual(currency.token, token)),
  )
  const exceeds = allowances.some(({ token, amount }) => {
    const holding = held(token)
    return holding !== undefined && amount > holding
  })
  const risks = [
    exceeds && ({ kind: 'session-exceeds-holdings', level: 'high' } as const),
    moves && ({ kind: 'session-moves-tokens', level: 'high' } as const),
    toAnyone && ({ kind: 'session-to-anyone', level: 'note' } as const),
    calls.length > 0 && !moves && ({ kind: 'session-uncounted', level: 'note' } as const),
    isUnknown && ({ kind: 'session-unknown-token', level: 'note' } as const),
    validUntil - validAfter > long && ({ kind: 'session-long', level: 'note' } as const),
  ]
  return risks.filter((risk) => risk !== false)
}
