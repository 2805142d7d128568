import { LanyardError } from '@lanyard/contracts'
import type { Network } from '@lanyard/networks'
import { smartBalanceAbi } from '@lanyard/onchain'
import { getSmartBalance } from '../get-smart-balance.ts'
import { readFinalBlock } from '../ledger/final-block.ts'

/** What the operator could lend on a network if nobody else had reserved anything. */
export interface Liquidity {
  /** 6 decimals. */
  readonly amount: bigint
  /** The head when it was read: claims of later blocks are not in it. */
  readonly blockNumber: bigint
  /** Unix seconds, of the head. */
  readonly timestamp: number
  /** Set where the hourly cap on outflow allows less than there is: Unix seconds, when it starts again. */
  readonly cappedUntil?: number
}

const secondsOfHour = 3_600

/**
 * Liquidity at the head and at the last final block, the lower of both: a deposit to it may be reorganised away, and
 * so may a claim. Bounded by what is left of the hour's cap on outflow, which is reserved as liquidity is: orders that
 * could exceed it together would let an account fail one of them at the operator's expense (`OrderUnfunded`). A
 * reservation that is used in the next hour finds a fresh one.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED, NO_SMART_BALANCE, INSUFFICIENT_LIQUIDITY while new orders are paused
 */
export async function readLiquidity(network: Network): Promise<Liquidity> {
  const contract = { address: getSmartBalance(network).address, abi: smartBalanceAbi } as const
  const [final, head] = await Promise.all([
    readFinalBlock(network),
    network.call((client) => client.getBlock()),
  ])
  return network.call(async (client) => {
    const [[now, [cap, spent, hour], paused], atFinal] = await Promise.all([
      client.multicall({
        allowFailure: false,
        blockNumber: head.number,
        contracts: [
          { ...contract, functionName: 'liquidity' },
          { ...contract, functionName: 'outflow' },
          { ...contract, functionName: 'paused' },
        ],
      }),
      client.readContract({ ...contract, functionName: 'liquidity', blockNumber: final.number }),
    ])
    if (paused) {
      throw new LanyardError('INSUFFICIENT_LIQUIDITY', {
        message: `New orders are paused on ${network.config.name}.`,
      })
    }
    const thisHour = head.timestamp / BigInt(secondsOfHour)
    const spentNow = BigInt(hour) === thisHour ? spent : 0n
    const underCap = cap > spentNow ? cap - spentNow : 0n
    const there = now < atFinal ? now : atFinal
    return {
      amount: underCap < there ? underCap : there,
      blockNumber: head.number,
      timestamp: Number(head.timestamp),
      ...(underCap < there && { cappedUntil: Number(thisHour + 1n) * secondsOfHour }),
    }
  })
}
