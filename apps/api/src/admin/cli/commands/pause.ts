import { smartBalanceAbi } from '@lanyard/onchain'
import { pauseBudget } from '@lanyard/smart-balance'
import { type Command, InvalidArgumentError } from 'commander'
import { encodeFunctionData } from 'viem'
import { ofOwner, withManual } from '../manual.ts'
import { type SendOptions, withSending } from '../options.ts'
import { openAsOwner } from '../smart-balance-session.ts'

/** As parsed from the command line. */
interface PauseOptions extends SendOptions {
  /** Hours; absent: pause new orders. */
  readonly settlement?: number
}

/** `lanyard pause`: stops new orders on a network, or settlement for some hours. */
export function addPause(group: Command): void {
  const command = withSending(group).option(
    '--settlement <hours>',
    'pause settlement instead, for 1 to 36 hours: when attestors or settlers are stolen',
    parseHours,
  )
  withManual(command, {
    about: `
The pauser's key in DEPLOYER_PRIVATE_KEY also works. Settlement can be paused for at most 36 hours in any 14 days. A pause
cannot be ended early: begin with a few hours, and run the command again to extend it. Exits always continue.`,
    environment: ofOwner,
    opensKeys: true,
    examples: ['pause --network 8453 --yes', 'pause --network 8453 --settlement 12 --yes'],
  }).action((options: PauseOptions) =>
    options.settlement === undefined
      ? setPaused(options, true)
      : pauseSettlement(options, options.settlement),
  )
}

function parseHours(text: string): number {
  const hours = Number(text)
  if (Number.isInteger(hours) && hours >= 1 && hours <= pauseBudget / 3_600) return hours
  throw new InvalidArgumentError(`Expected 1 to ${pauseBudget / 3_600} hours.`)
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
    caller: wanted ? 'pauser' : 'owner',
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

/** Stops settlement from now, or from the end of the current pause. */
async function pauseSettlement(options: PauseOptions, hours: number): Promise<void> {
  const { network, contract, send, finish } = await openAsOwner(options, { caller: 'pauser' })
  const sent = await send([
    {
      description: `pause settlement for ${hours} hours`,
      to: contract.address,
      data: encodeFunctionData({ abi: smartBalanceAbi, functionName: 'pauseSettlement', args: [hours] }),
    },
  ])
  const until = await network.call((client) =>
    client.readContract({ ...contract, functionName: 'settlementPausedUntil' }),
  )
  finish({ settlementPausedUntil: until, sent })
}
