import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import { smartBalanceAbi } from '@lanyard/onchain'
import { getSmartBalance } from '../get-smart-balance.ts'
import { multicallAtBlock, readOf } from '../ledger/multicall-at-block.ts'

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
export async function readLiquidity(network: Network): Promise<Liquidity> {
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
