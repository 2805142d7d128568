import type { Session as SessionLimits } from '@lanyard/session-keys'
import { isAddressEqual, zeroAddress } from 'viem'
import type { Currency } from '../amounts/currency.ts'
import { findAssetFunction } from '../calls/asset-functions.ts'

/** Ways in which a session could cost more than its owner expects. */
export type SessionRisk =
  | 'session-to-anyone'
  | 'session-moves-tokens'
  | 'session-uncounted'
  | 'session-unknown-token'
  | 'session-long'

/** Seconds. A month is enough for an app in regular use. */
const long = 31 * 86_400

/** The warnings about a session before it is granted, based on its limits alone. */
export function findSessionRisks(
  { rules, allowances, validAfter, validUntil }: SessionLimits,
  currencies: readonly Currency[],
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
  return [
    ...(moves ? [{ kind: 'session-moves-tokens', level: 'high' } as const] : []),
    ...(toAnyone ? [{ kind: 'session-to-anyone', level: 'note' } as const] : []),
    ...(calls.length > 0 && !moves ? [{ kind: 'session-uncounted', level: 'note' } as const] : []),
    ...(isUnknown ? [{ kind: 'session-unknown-token', level: 'note' } as const] : []),
    ...(validUntil - validAfter > long ? [{ kind: 'session-long', level: 'note' } as const] : []),
  ]
}
