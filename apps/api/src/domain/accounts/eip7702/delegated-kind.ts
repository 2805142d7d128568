import { delegatedDeployment, readDelegation, toDelegatedAccount } from '@lanyard/accounts'
import { getAddress } from 'viem'
import type { Kind } from '../accounts/kind.ts'
import { toDelegatedTerms } from './delegated-terms.ts'
import { type DelegatedWallet, readStoredDelegation } from './delegated-wallet.ts'
import { isDelegationSpent } from './is-delegation-spent.ts'
import { requireDelegable } from './read-delegation-state.ts'
import { requireAuthorization } from './require-authorization.ts'
import { requireOwnDelegation } from './require-own-delegation.ts'
import { substitutes } from './substitutes.ts'

/** An EOA's address, its owner and its key are one. */
const toWallet = (
  given: string,
  deployment: DelegatedWallet['deployment'] = delegatedDeployment,
): DelegatedWallet => {
  const address = getAddress(given)
  return { address, owner: { kind: 'eoa', address }, deployment }
}

export const delegatedKind: Kind<DelegatedWallet> = {
  substitutes,
  read: ({ address, deployment }) => toWallet(address, readStoredDelegation(deployment)),
  ofEoa: (eoa) => toWallet(eoa),
  entryPoint: delegatedDeployment.entryPoint,
  ofSender(operation) {
    requireOwnDelegation(operation)
    return toWallet(operation.sender)
  },
  isDeployedOtherwise: isDelegationSpent,
  rulesOf: (wallet) => ({
    kind: 'eip7702',
    account: toDelegatedAccount(wallet.address, wallet.deployment),
    isDeployed: (code) => readDelegation(code, wallet.deployment).kind === 'delegated',
    toStored: () => ({ address: wallet.address, eoaAddress: null, deployment: wallet.deployment }),
    async requireUsable(network, replaces) {
      const current = await requireDelegable(network, wallet, replaces)
      return (operation) => toDelegatedTerms(network, wallet, current, operation)
    },
    requireAuthorization: (networks, row, given) =>
      requireAuthorization(networks.get(row.network), wallet, row, given),
  }),
}
