import { delegatedRules } from '../eip7702/delegated-rules.ts'
import type { KindRules } from './kind-rules.ts'
import { type AnyWallet, isSafe } from './wallet.ts'

/** A Safe's owners sign the hash, and its factory needs no consent. */
const safeRules: KindRules = {
  requireUsable: async () => () => ({}),
  requireAuthorization: async () => undefined,
}

export const rulesOf = (wallet: AnyWallet): KindRules => (isSafe(wallet) ? safeRules : delegatedRules(wallet))
