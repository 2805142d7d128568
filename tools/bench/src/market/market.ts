import type { Address } from 'viem'
import type { Chain } from '../wallets/chain.ts'

/** Gas of a block. At twice its target, the base fee rises by an eighth in each block (EIP-1559). */
export const blockGas = 10_000_000n

/** wei per gas: the base fee at the start, and the tip below which the node refuses a transaction. */
export const firstBaseFee = 10_000_000_000n
export const minTip = 100_000_000n

/** What competing transactions offer as tips. */
const tips = [minTip, 1_000_000_000n, 3_000_000_000n] as const

/** Gas that competing traffic uses in a block of each kind. */
const demands = { quiet: 4_900_000n, full: 9_900_000n, none: 0n } as const

/** A day of a market in short: blocks of each kind. The base fee rises to more than six times, and falls again. */
const phases: readonly (readonly [kind: keyof typeof demands, blocks: number])[] = [
  ['quiet', 15],
  ['full', 16],
  ['quiet', 24],
  ['none', 16],
  ['quiet', 24],
]

export const demandOfBlocks: readonly bigint[] = phases.flatMap(([kind, blocks]) =>
  Array.from({ length: blocks }, () => demands[kind]),
)

/** Uses all of its gas: `JUMPDEST PUSH0 JUMP`. */
const burns = '0x5b5f56'
const burner: Address = '0x00000000000000000000000000000000000b0bb1'

/** wei per gas that it pays the block's producer; undefined: its cap is below the base fee. */
const effectiveTip = ({ cap, tip }: { cap: bigint; tip: bigint }, baseFee: bigint): bigint | undefined => {
  const limit = cap - baseFee
  return limit < 0n ? undefined : limit < tip ? limit : tip
}

/** A waiting transaction of a bundler. */
export interface WaitingTransaction {
  readonly cap: bigint
  readonly tip: bigint
  readonly gas: bigint
}

/**
 * Which competing transactions a producer includes who takes the highest tips first, as those of real networks do.
 *
 * @param waiting the bundler's, by nonce: none can be before an earlier one
 */
export function competingTips(
  demand: bigint,
  waiting: readonly WaitingTransaction[],
  baseFee: bigint,
): readonly bigint[] {
  const each = demand / BigInt(tips.length)
  let lowest: bigint | undefined = 2n ** 256n
  const bids = waiting.map((one) => {
    const tip = effectiveTip(one, baseFee)
    lowest = lowest === undefined || tip === undefined ? undefined : tip < lowest ? tip : lowest
    return { tip: lowest ?? -1n, gas: one.gas, isCompeting: false }
  })
  const competing = demand === 0n ? [] : tips.map((tip) => ({ tip, gas: each, isCompeting: true }))
  let room = blockGas
  const included: bigint[] = []
  for (const { tip, gas, isCompeting } of [...bids, ...competing].sort((a, b) => Number(b.tip - a.tip))) {
    if (gas > room || tip < 0n) continue
    room -= gas
    if (isCompeting) included.push(tip)
  }
  return included
}

/** Transactions of others, which fill blocks. */
export async function createTraffic(chain: Chain) {
  await chain.setCode({ address: burner, bytecode: burns })
  await chain.setBalance({ address: chain.account.address, value: 10n ** 24n })
  let nonce = await chain.getTransactionCount({ address: chain.account.address })
  return {
    /**
     * Sends what competes for the next block, in equal parts for each tip, and outbids a bundler's transactions only by
     * tips. The node orders by caps, so these have the highest caps, and are sent only if their tips win.
     */
    async send(demand: bigint, waiting: readonly WaitingTransaction[], baseFee: bigint): Promise<void> {
      for (const tip of competingTips(demand, waiting, baseFee)) {
        await chain.sendTransaction({
          to: burner,
          gas: demand / BigInt(tips.length),
          nonce: nonce++,
          maxFeePerGas: 8n * baseFee + tip,
          maxPriorityFeePerGas: tip,
        })
      }
    },
  }
}
