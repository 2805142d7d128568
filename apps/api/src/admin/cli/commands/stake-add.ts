import { smartBalanceAbi } from '@lanyard/onchain'
import { encodeFunctionData, formatEther } from 'viem'
import type { SendOptions } from '../options.ts'
import { readPaymasterFunds } from '../paymaster-funds.ts'
import { openAsOwner } from '../smart-balance-session.ts'

/** Seconds: what bundlers ask for at least. */
const day = 86_400

/** As parsed from the command line. */
export interface AddOptions extends SendOptions {
  readonly amount: bigint
  readonly unstakeDelay?: number
}

/** `lanyard stake add`. EntryPoint never shortens the delay. */
export async function addToStake(options: AddOptions): Promise<void> {
  const { amount } = options
  const session = await openAsOwner(options)
  const present = await readPaymasterFunds(session)
  const unstakeDelay = options.unstakeDelay ?? Math.max(day, present.unstakeDelay)
  const sent = await session.send([
    {
      description: `add ${formatEther(amount)} of the native coin to the stake, unstake delay ${unstakeDelay} s`,
      to: session.contract.address,
      data: encodeFunctionData({ abi: smartBalanceAbi, functionName: 'addStake', args: [unstakeDelay] }),
      value: amount,
    },
  ])
  session.finish({ amount, unstakeDelay, sent })
}
