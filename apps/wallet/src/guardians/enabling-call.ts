import { type Call, encodeEnableModule } from '@lanyard/accounts'
import { isSameCall } from '@lanyard/calls'
import type { Address } from 'viem'
import { toCall } from '../calls/to-call.ts'
import { WalletError } from '../errors/wallet-error.ts'
import { requireKnownModule } from '../networks/known-module.ts'
import type { Network } from '../networks/use-networks.ts'
import type { OwnershipStatus } from './use-ownership.ts'

/**
 * The call that lets guardians work on one network, which the account makes once. Undefined if they already work there.
 *
 * @throws WalletError FOREIGN_MODULE, CALLS_DIFFER
 */
export function enablingCall(
  account: Address,
  { module, networks: statuses }: OwnershipStatus,
  network: Network,
): Call | undefined {
  const planned = statuses.find(({ network: id }) => id === network.chainId)?.transactionDetails?.map(toCall)
  if (!planned || !module) return undefined
  requireKnownModule(module, [network])
  const call = encodeEnableModule({ module, account })
  if (planned.length !== 1 || !isSameCall(planned[0], call)) throw new WalletError('CALLS_DIFFER')
  return call
}
