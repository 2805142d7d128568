import { entryPointAbi } from '@lanyard/onchain'
import type { SmartBalanceSession } from './smart-balance-session.ts'

/** SmartBalance's funds in EntryPoint as a paymaster. */
export interface PaymasterFunds {
  /** wei */
  readonly gasDeposit: bigint
  /** wei */
  readonly stake: bigint
  /** `unlocked`: bundlers no longer count the stake, and it can be withdrawn from `withdrawableAt` on. */
  readonly state: 'none' | 'locked' | 'unlocked'
  /** Seconds. */
  readonly unstakeDelay: number
  /** Unix seconds; null unless unlocked. */
  readonly withdrawableAt: number | null
  /** Time of the newest block, unix seconds. */
  readonly now: number
}

export async function readPaymasterFunds({
  network,
  contract,
}: SmartBalanceSession): Promise<PaymasterFunds> {
  const [info, block] = await network.call((client) =>
    Promise.all([
      client.readContract({
        address: network.config.entryPoint,
        abi: entryPointAbi,
        functionName: 'getDepositInfo',
        args: [contract.address],
      }),
      client.getBlock(),
    ]),
  )
  const state = info.stake === 0n ? 'none' : info.staked ? 'locked' : 'unlocked'
  return {
    gasDeposit: info.deposit,
    stake: info.stake,
    state,
    unstakeDelay: info.unstakeDelaySec,
    withdrawableAt: state === 'unlocked' ? info.withdrawTime : null,
    now: Number(block.timestamp),
  }
}
