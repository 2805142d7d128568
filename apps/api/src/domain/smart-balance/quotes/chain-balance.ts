import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import { smartBalanceAbi } from '@lanyard/onchain'
import type { Wallet } from '../../accounts/accounts/kind.ts'
import { multicallAtBlock, readOf } from '../ledger/multicall-at-block.ts'
import { syncLedger } from '../ledger/sync-ledger.ts'
import { getSmartBalance } from '../model/get-smart-balance.ts'
import type { SmartBalanceServices } from '../model/services.ts'

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

/** The amount that the operator could lend on a network if nothing were reserved. */
export interface Liquidity {
  /** 6 decimals. */
  readonly amount: bigint
  /** The head when the amount was read: claims of later blocks are not included. */
  readonly blockNumber: bigint
  /** Unix seconds, of the head. */
  readonly timestamp: number
  /**
   * Present when the hourly outflow cap allows less than the liquidity: Unix seconds, when the next hour
   * starts.
   */
  readonly cappedUntil?: number
}

const secondsOfHour = 3_600

/**
 * The lower of the liquidity at the head and at the last final block, because a reorg may remove a deposit to
 * it or a claim. It is limited by what is left of the hourly outflow cap, which is reserved like liquidity:
 * if orders could exceed the cap together, an account could make one of them fail at the operator's expense
 * (`OrderUnfunded`). A reservation that is used in the next hour has a fresh cap.
 *
 * Two RPCs must confirm all of it.
 *
 * @throws NETWORK_UNCONFIRMED, NETWORK_UNAVAILABLE, NETWORK_FAILED, NO_SMART_BALANCE, INSUFFICIENT_LIQUIDITY
 * while new orders are paused
 */
async function readLiquidity(network: Network): Promise<Liquidity> {
  const contract = { address: getSmartBalance(network).address, abi: smartBalanceAbi } as const
  const { quorum } = network
  quorum.require()
  const [final, head] = await Promise.all([quorum.final(), quorum.head()])
  const [[[now, [cap, spent, hour], paused]], [[atFinal]]] = await Promise.all([
    multicallAtBlock(network, head, [
      [readOf(contract, 'liquidity', []), readOf(contract, 'outflow', []), readOf(contract, 'paused', [])],
    ]),
    multicallAtBlock(network, final, [[readOf(contract, 'liquidity', [])]]),
  ])
  if (paused) {
    throw new LanyardError('INSUFFICIENT_LIQUIDITY', {
      message: `New orders are paused on ${network.config.name}.`,
    })
  }
  const thisHour = Math.floor(head.timestamp / secondsOfHour)
  const spentNow = Number(hour) === thisHour ? spent : 0n
  const underCap = cap > spentNow ? cap - spentNow : 0n
  const there = now < atFinal ? now : atFinal
  return {
    amount: underCap < there ? underCap : there,
    blockNumber: head.number,
    timestamp: head.timestamp,
    ...(underCap < there && { cappedUntil: (thisHour + 1) * secondsOfHour }),
  }
}
