import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import { type OrderSigner, signerId } from '@lanyard/smart-balance'
import type { Wallet } from '../../accounts/accounts/kind.ts'
import { isPinned } from '../ledger/availability.ts'
import { syncLedger } from '../ledger/sync-ledger.ts'
import type { SmartBalanceServices } from '../model/services.ts'
import { findOrderSigners } from '../model/signers.ts'

/**
 * Chooses the owner whose signature an order on a network is for: among those who can sign there, the one
 * whose pins reach the most of the account's deposits. In a tie, the first owner wins.
 *
 * @param kind - only owners of this kind; absent: EOAs and passkeys
 * @throws UNSUPPORTED_SIGNATURE_TYPE when there is none, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function chooseOrderSigner(
  services: Pick<SmartBalanceServices, 'database' | 'networks' | 'log'>,
  wallet: Wallet,
  network: Network,
  kind?: OrderSigner['kind'],
): Promise<OrderSigner> {
  const all = await findOrderSigners(services.database, network, wallet)
  const [first, ...others] = all.filter((signer) => kind === undefined || signer.kind === kind)
  if (!first) {
    throw new LanyardError('UNSUPPORTED_SIGNATURE_TYPE', {
      message: `No known ${kind ?? 'EOA or passkey'} owns this wallet on ${network.config.name}.`,
    })
  }
  if (others.length === 0) return first
  const { deposits } = await syncLedger(services, wallet.address)
  const reach = (signer: OrderSigner) =>
    deposits
      .filter((deposit) => isPinned(deposit, signerId(signer)))
      .reduce((sum, { balance, exiting }) => sum + balance - exiting, 0n)
  return others.reduce((best, signer) => (reach(signer) > reach(best) ? signer : best), first)
}
