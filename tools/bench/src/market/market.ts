import type { Address } from 'viem'
import type { Chain } from '../wallets/chain.ts'

/** Gas of a block. At twice its target, the base fee rises by an eighth in each block (EIP-1559). */
export const blockGas = 10_000_000n

/** wei per gas: the base fee at the start, and the tip below which the node refuses a transaction. */
export const firstBaseFee = 10_000_000_000n
export const leastTip = 100_000_000n

/** What competing transactions offer as tips. */
const tips = [leastTip, 1_000_000_000n, 3_000_000_000n] as const

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

/** Transactions of others, which fill blocks and outbid low tips. */
export async function createTraffic(chain: Chain) {
  await chain.setCode({ address: burner, bytecode: burns })
  await chain.setBalance({ address: chain.account.address, value: 10n ** 24n })
  let nonce = await chain.getTransactionCount({ address: chain.account.address })
  return {
    /** Sends transactions that use this much gas, in equal parts for each tip. */
    async send(gas: bigint, baseFee: bigint): Promise<void> {
      if (gas === 0n) return
      for (const tip of tips) {
        await chain.sendTransaction({
          to: burner,
          gas: gas / BigInt(tips.length),
          nonce: nonce++,
          maxFeePerGas: 8n * baseFee + tip,
          maxPriorityFeePerGas: tip,
        })
      }
    },
  }
}
