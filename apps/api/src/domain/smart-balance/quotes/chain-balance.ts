import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import type { Wallet } from '../../accounts/accounts/wallet.ts'
import { getSmartBalance } from '../get-smart-balance.ts'
import { syncLedger } from '../ledger/sync-ledger.ts'
import type { SmartBalanceServices } from '../services.ts'
import { type Liquidity, readLiquidity } from './read-liquidity.ts'

/** The state of the chains that is needed to plan an order. */
export interface ChainBalance {
  readonly liquidity: Liquidity
  /** Networks whose ledger entry was just updated. */
  readonly networks: readonly number[]
  readonly unavailable: readonly number[]
}

/**
 * Updates the account's ledger and reads the liquidity, on all networks in parallel. Sources that do not
 * answer are left out. Without the output network, no order can be planned.
 *
 * @throws NO_SMART_BALANCE, NETWORK_UNAVAILABLE, NETWORK_FAILED, INSUFFICIENT_LIQUIDITY while orders are
 * paused
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
