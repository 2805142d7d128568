import { smartBalanceAbi } from '@lanyard/onchain'
import type { Command } from 'commander'
import { encodeFunctionData } from 'viem'
import { ofOwner, withManual } from '../manual.ts'
import { type SendOptions, withSending } from '../options.ts'
import { openAsOwner } from '../smart-balance-session.ts'

/** `lanyard pause`: stops new orders on a network. */
export function addPause(group: Command): void {
  const command = withSending(group)
  withManual(command, {
    about: "\nThe guardian's key in DEPLOYER_PRIVATE_KEY also works.",
    environment: ofOwner,
    opensKeys: true,
    examples: ['pause --network 8453 --yes'],
  }).action((options: SendOptions) => setPaused(options, true))
}

/** `lanyard resume`: the opposite of `lanyard pause`. */
export function addResume(group: Command): void {
  withManual(withSending(group), {
    environment: ofOwner,
    opensKeys: true,
    examples: ['resume --network 8453'],
  }).action((options: SendOptions) => setPaused(options, false))
}

/**
 * Stops or allows new orders on one network; deposits, withdrawals, exits and settlement continue either way.
 */
async function setPaused(options: SendOptions, wanted: boolean): Promise<void> {
  const { network, contract, output, send, finish } = await openAsOwner(options, {
    caller: wanted ? 'guardian' : 'owner',
  })
  const paused = await network.call((client) => client.readContract({ ...contract, functionName: 'paused' }))
  if (paused === wanted) output.say(`New orders are already ${wanted ? 'paused' : 'allowed'}.`)
  const call = {
    description: wanted ? 'pause new orders' : 'allow new orders',
    to: contract.address,
    data: encodeFunctionData({ abi: smartBalanceAbi, functionName: 'setPaused', args: [wanted] }),
  }
  const sent = await send(paused === wanted ? [] : [call])
  finish({ paused: options.dryRun ? paused : wanted, sent })
}
