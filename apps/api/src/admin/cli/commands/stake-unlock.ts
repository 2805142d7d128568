import { smartBalanceAbi } from '@lanyard/onchain'
import { encodeFunctionData } from 'viem'
import { CliError } from '../cli-error.ts'
import type { SendOptions } from '../options.ts'
import { readPaymasterFunds } from '../paymaster-funds.ts'
import { openAsOwner } from '../smart-balance-session.ts'
import { formatTime } from '../times.ts'

/** `lanyard stake unlock`. Again, it changes nothing: the delay would begin anew. */
export async function unlockStake(options: SendOptions): Promise<void> {
  const session = await openAsOwner(options)
  const { contract, output, send, finish } = session
  const present = await readPaymasterFunds(session)
  if (present.state === 'none') throw new CliError('NO_STAKE', 'Nothing is staked.')
  const call = {
    description: 'unlock the stake',
    to: contract.address,
    data: encodeFunctionData({ abi: smartBalanceAbi, functionName: 'unlockStake' }),
  }
  const sent = await send(present.state === 'locked' ? [call] : [])
  const { withdrawableAt } = await readPaymasterFunds(session)
  if (withdrawableAt !== null)
    output.say(`It can be withdrawn from ${formatTime(withdrawableAt)} on: \`lanyard stake withdraw\`.`)
  finish({ withdrawableAt, sent })
}
