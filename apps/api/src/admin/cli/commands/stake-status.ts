import { formatEther } from 'viem'
import type { NetworkOptions } from '../options.ts'
import { readPaymasterFunds } from '../paymaster-funds.ts'
import { openSmartBalance } from '../smart-balance-session.ts'
import { formatTime } from '../times.ts'

/** `lanyard stake status`. */
export async function showStake(options: NetworkOptions): Promise<void> {
  const session = await openSmartBalance(options)
  const { stake, state, unstakeDelay, withdrawableAt, now } = await readPaymasterFunds(session)
  const { network, contract, output } = session
  output.say(`SmartBalance ${contract.address}`)
  output.say(`  stake             ${formatEther(stake)} of the native coin, ${words[state]}`)
  if (state === 'locked') output.say(`  unstake delay     ${unstakeDelay} s`)
  if (withdrawableAt !== null)
    output.say(`  withdrawable      ${withdrawableAt <= now ? 'now' : formatTime(withdrawableAt)}`)
  output.finish({
    ...{ network: network.chainId, smartBalance: contract.address },
    ...{ stake, state, unstakeDelay, withdrawableAt },
  })
}

const words = { none: 'nothing is staked', locked: 'locked', unlocked: 'unlocked' } as const
