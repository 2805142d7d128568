import type { KindRules } from '../accounts/kind-rules.ts'
import { toDelegatedTerms } from './delegated-terms.ts'
import type { DelegatedWallet } from './delegated-wallet.ts'
import { requireDelegable } from './read-delegation-state.ts'
import { requireAuthorization } from './require-authorization.ts'

export const delegatedRules = (wallet: DelegatedWallet): KindRules => ({
  async requireUsable(network, replaces) {
    const current = await requireDelegable(network, wallet, replaces)
    return (operation) => toDelegatedTerms(network, wallet, current, operation)
  },
  requireAuthorization: (networks, row, given) =>
    requireAuthorization(networks.get(row.network), wallet, row, given),
})
