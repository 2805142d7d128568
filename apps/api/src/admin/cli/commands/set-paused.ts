import { smartBalanceAbi } from '@lanyard/onchain'
import { encodeFunctionData } from 'viem'
import type { SendOptions } from '../options.ts'
import { openAsOwner } from '../smart-balance-session.ts'

/** Stops or allows new orders on one network; deposits, withdrawals, exits and settlement go on either way. */
export async function setPaused(options: SendOptions, wanted: boolean): Promise<void> {
  const { network, contract, output, send, finish } = await openAsOwner(options, {
    caller: wanted ? 'guardian' : 'owner',
  })
  const paused = await network.call((client) => client.readContract({ ...contract, functionName: 'paused' }))
  if (paused === wanted) output.say(`New orders are ${wanted ? 'paused' : 'allowed'} already.`)
  const call = {
    description: wanted ? 'pause new orders' : 'allow new orders',
    to: contract.address,
    data: encodeFunctionData({ abi: smartBalanceAbi, functionName: 'setPaused', args: [wanted] }),
  }
  const sent = await send(paused === wanted ? [] : [call])
  finish({ paused: options.dryRun ? paused : wanted, sent })
}
