import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import type { Wallet } from '../../accounts/accounts/wallet.ts'
import { getSmartBalance } from '../get-smart-balance.ts'
import { syncLedger } from '../ledger/sync-ledger.ts'
import type { SmartBalanceServices } from '../services.ts'
import { type Liquidity, readLiquidity } from './read-liquidity.ts'

/** What the chains say before an order is planned. */
export interface ChainBalance {
  readonly liquidity: Liquidity
  /** Networks whose entry in the ledger is fresh now. */
  readonly networks: readonly number[]
  readonly unavailable: readonly number[]
}

/**
 * Brings the account's ledger up to date and reads the liquidity, all networks at once. Sources that do not answer
 * are left out; without the output network there is nothing to plan.
 *
 * @throws NO_SMART_BALANCE, NETWORK_UNAVAILABLE, NETWORK_FAILED, INSUFFICIENT_LIQUIDITY while orders are paused
 */
export async function readChainBalance(
  services: Pick<SmartBalanceServices, 'database' | 'networks' | 'log'>,
  { address }: Pick<Wallet, 'address'>,
  network: Network,
): Promise<ChainBalance> {
  getSmartBalance(network)
  const [liquidity, { deposits, failures }] = await Promise.all([
    readLiquidity(network),
    syncLedger(services, address),
  ])
  const failure = failures.get(network.chainId)
  if (failure !== undefined) {
    throw failure instanceof Error ? failure : new LanyardError('NETWORK_FAILED', { cause: failure })
  }
  return {
    liquidity,
    networks: deposits.map((deposit) => deposit.network),
    unavailable: [...failures.keys()],
  }
}
