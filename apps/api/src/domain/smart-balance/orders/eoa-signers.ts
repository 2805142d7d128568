import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import type { Wallet } from '../../accounts/accounts/wallet.ts'
import { findOrderSigners } from '../quotes/order-signer.ts'
import type { SmartBalanceServices } from '../services.ts'
import type { OrderSignerCandidate } from './order-signer.ts'

/**
 * The EOAs that can sign for an account on a network, starting with the one that the account was created
 * with.
 *
 * @throws UNSUPPORTED_SIGNATURE_TYPE when there is none, NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function findEoaSigners(
  { database }: Pick<SmartBalanceServices, 'database'>,
  network: Network,
  wallet: Wallet,
): Promise<readonly [OrderSignerCandidate, ...OrderSignerCandidate[]]> {
  const signers = await findOrderSigners(database, network, wallet)
  const [first, ...others] = signers.filter(({ kind }) => kind === 'eoa').map((key) => ({ key }))
  if (first) return [first, ...others]
  throw new LanyardError('UNSUPPORTED_SIGNATURE_TYPE', {
    message: `No EOA owns this wallet on ${network.config.name}.`,
  })
}
