import { smartBalanceAbi } from '@lanyard/onchain'
import { type Command, InvalidArgumentError } from 'commander'
import { type Address, encodeFunctionData, formatEther } from 'viem'
import { CliError } from '../cli-error.ts'
import { ofNetworks, ofOwner, withManual } from '../manual.ts'
import {
  type NetworkOptions,
  parseAddress,
  parseNative,
  type SendOptions,
  withNetwork,
  withSending,
} from '../options.ts'
import { type PaymasterFunds, readPaymasterFunds } from '../paymaster-funds.ts'
import { openAsOwner, openSmartBalance } from '../smart-balance-session.ts'
import { formatTime } from '../times.ts'

const about = `
Without a stake, most bundlers refuse operations that SmartBalance pays for, because its validation reads its own storage
(ERC-7562). Getting the stake back takes two steps: unlock it, and withdraw it after the unstake delay.`

/** `lanyard stake status|add|unlock|withdraw`. */
export function addStake(group: Command): void {
  const stake = group.addHelpText('after', about)
  withManual(withNetwork(stake.command('status').description('show the stake, and whether it is locked')), {
    about,
    environment: ofNetworks,
    examples: ['stake status --network 8453'],
  }).action((options: NetworkOptions) => showStake(options))
  const add = withSending(
    stake.command('add').description('add to the stake; this locks it again if it was unlocked'),
  )
    .requiredOption('--amount <coins>', 'amount of the native coin; 0 only locks the stake', parseNative)
    .option('--unstake-delay <seconds>', 'at least a day, and at least the current delay', parseDelay)
  withManual(add, {
    environment: ofOwner,
    opensKeys: true,
    examples: ['stake add --network 8453 --amount 0.1'],
  }).action((options: AddOptions) => addToStake(options))
  const unlock = withSending(
    stake.command('unlock').description('unlock the stake: bundlers reject orders from then on'),
  )
  withManual(unlock, {
    environment: ofOwner,
    opensKeys: true,
    examples: ['stake unlock --network 8453'],
  }).action((options: SendOptions) => unlockStake(options))
  const withdraw = withSending(
    stake.command('withdraw').description('withdraw the whole stake after the unstake delay'),
  ).option('--to <address>', 'the recipient (default: the owner)', parseAddress)
  withManual(withdraw, {
    environment: ofOwner,
    opensKeys: true,
    examples: ['stake withdraw --network 8453'],
  }).action((options: WithdrawOptions) => withdrawStake(options))
}

/** Bundlers require a day (ERC-7562); the field has 32 bits. */
function parseDelay(text: string): number {
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (seconds >= 86_400 && seconds < 2 ** 32) return seconds
  throw new InvalidArgumentError('Expected seconds, at least 86400.')
}

/** `lanyard stake status`. */
async function showStake(options: NetworkOptions): Promise<void> {
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

/** Seconds: the minimum that bundlers require. */
const day = 86_400

/** As parsed from the command line. */
interface AddOptions extends SendOptions {
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

/** `lanyard stake unlock`. A second run does nothing, since it would restart the delay. */
async function unlockStake(options: SendOptions): Promise<void> {
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

/** As parsed from the command line. */
interface WithdrawOptions extends SendOptions {
  readonly to?: Address
}

/** `lanyard stake withdraw`: EntryPoint returns all of the stake or nothing. */
async function withdrawStake(options: WithdrawOptions): Promise<void> {
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

/** EntryPoint would reject it too, with a shorter message. */
function assertWithdrawable({ state, withdrawableAt, now }: PaymasterFunds): void {
  if (state === 'none') throw new CliError('NO_STAKE', 'Nothing is staked.')
  if (withdrawableAt === null)
    throw new CliError('STAKE_LOCKED', 'The stake is locked: run `lanyard stake unlock` first.')
  if (now < withdrawableAt)
    throw new CliError('STAKE_LOCKED', `The stake can be withdrawn from ${formatTime(withdrawableAt)} on.`)
}
