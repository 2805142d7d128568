import { smartBalanceAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData, formatEther } from 'viem'
import { CliError } from '../cli-error.ts'
import type { SendOptions } from '../options.ts'
import { type PaymasterFunds, readPaymasterFunds } from '../paymaster-funds.ts'
import { openAsOwner } from '../smart-balance-session.ts'
import { formatTime } from '../times.ts'

/** As parsed from the command line. */
export interface WithdrawOptions extends SendOptions {
  readonly to?: Address
}

/** `lanyard stake withdraw`: EntryPoint gives back all of it or nothing. */
export async function withdrawStake(options: WithdrawOptions): Promise<void> {
  const session = await openAsOwner(options)
  const { contract, owner, send, finish } = session
  const { to = owner.account.address } = options
  const present = await readPaymasterFunds(session)
  assertWithdrawable(present)
  const sent = await send([
    {
      description: `withdraw the stake, ${formatEther(present.stake)} of the native coin, to ${to}`,
      to: contract.address,
      data: encodeFunctionData({ abi: smartBalanceAbi, functionName: 'withdrawStake', args: [to] }),
    },
  ])
  finish({ to, amount: present.stake, sent })
}

/** EntryPoint would refuse too, in fewer words. */
function assertWithdrawable({ state, withdrawableAt, now }: PaymasterFunds): void {
  if (state === 'none') throw new CliError('NO_STAKE', 'Nothing is staked.')
  if (withdrawableAt === null)
    throw new CliError('STAKE_LOCKED', 'The stake is locked: `lanyard stake unlock` comes first.')
  if (now < withdrawableAt)
    throw new CliError('STAKE_LOCKED', `The stake can be withdrawn from ${formatTime(withdrawableAt)} on.`)
}
