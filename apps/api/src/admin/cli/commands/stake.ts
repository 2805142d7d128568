import { type Command, InvalidArgumentError } from 'commander'
import { type Address, formatEther } from 'viem'
import { CliError } from '../cli-error.ts'
import { ofNetworks } from '../manual.ts'
import { parseAddress, parseNative, type SendOptions } from '../options.ts'
import { callOf, reach, sendOne, withCall, withStatus } from '../owner-command.ts'
import { type PaymasterFunds, readPaymasterFunds } from '../paymaster-funds.ts'
import { formatTime } from '../times.ts'

const about = `
Without a stake, most bundlers refuse operations that SmartBalance pays for, because its validation reads its own storage
(ERC-7562). Getting the stake back takes two steps: unlock it, and withdraw it after the unstake delay.`

const words = { none: 'nothing is staked', locked: 'locked', unlocked: 'unlocked' } as const

/** Seconds: the minimum that bundlers require. */
const day = 86_400

/** `lanyard stake status|add|unlock|withdraw`. */
export function addStake(group: Command): void {
  const stake = group.addHelpText('after', about)
  withStatus(
    stake.command('status').description('show the stake, and whether it is locked'),
    { about, environment: ofNetworks, examples: ['stake status --network 8453'] },
    async (session) => {
      const { stake, state, unstakeDelay, withdrawableAt, now } = await readPaymasterFunds(session)
      const lines = [
        `SmartBalance ${session.contract.address}`,
        `  stake             ${formatEther(stake)} of the native coin, ${words[state]}`,
      ]
      if (state === 'locked') lines.push(`  unstake delay     ${unstakeDelay} s`)
      if (withdrawableAt !== null)
        lines.push(`  withdrawable      ${withdrawableAt <= now ? 'now' : formatTime(withdrawableAt)}`)
      return { lines, result: { stake, state, unstakeDelay, withdrawableAt } }
    },
  )
  const add = stake.command('add').description('add to the stake; this locks it again if it was unlocked')
  withCall<SendOptions & { readonly amount: bigint; readonly unstakeDelay?: number }>(add, {
    examples: ['stake add --network 8453 --amount 0.1'],
    // EntryPoint never shortens the delay.
    async act(session, { amount, unstakeDelay: given }) {
      const present = await readPaymasterFunds(session)
      const unstakeDelay = given ?? Math.max(day, present.unstakeDelay)
      const description = `add ${formatEther(amount)} of the native coin to the stake, unstake delay ${unstakeDelay} s`
      const call = callOf(session.contract, description, 'addStake', [unstakeDelay], amount)
      return sendOne(call, { amount, unstakeDelay })
    },
  })
    .requiredOption('--amount <coins>', 'amount of the native coin; 0 only locks the stake', parseNative)
    .option('--unstake-delay <seconds>', 'at least a day, and at least the current delay', parseDelay)
  const unlock = stake.command('unlock').description('unlock the stake: bundlers reject orders from then on')
  withCall(unlock, {
    examples: ['stake unlock --network 8453'],
    // A second run does nothing, since it would restart the delay.
    act: (session) =>
      reach({
        read: () => readPaymasterFunds(session),
        calls({ state }) {
          if (state === 'none') throw new CliError('NO_STAKE', 'Nothing is staked.')
          return state === 'locked' ? [callOf(session.contract, 'unlock the stake', 'unlockStake')] : []
        },
        end: ({ withdrawableAt }) =>
          withdrawableAt !== null &&
          `It can be withdrawn from ${formatTime(withdrawableAt)} on: \`lanyard stake withdraw\`.`,
        result: ({ withdrawableAt }) => ({ withdrawableAt }),
      }),
  })
  const withdraw = stake.command('withdraw').description('withdraw the whole stake after the unstake delay')
  withCall<SendOptions & { readonly to?: Address }>(withdraw, {
    examples: ['stake withdraw --network 8453'],
    // EntryPoint returns all of the stake or nothing.
    async act(session, { to = session.owner.account.address }) {
      const present = await readPaymasterFunds(session)
      assertWithdrawable(present)
      const { stake: amount } = present
      const description = `withdraw the stake, ${formatEther(amount)} of the native coin, to ${to}`
      return sendOne(callOf(session.contract, description, 'withdrawStake', [to]), { to, amount })
    },
  }).option('--to <address>', 'the recipient (default: the owner)', parseAddress)
}

/** Bundlers require a day (ERC-7562); the field has 32 bits. */
function parseDelay(text: string): number {
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (seconds >= day && seconds < 2 ** 32) return seconds
  throw new InvalidArgumentError('Expected seconds, at least 86400.')
}

/** EntryPoint would reject it too, with a shorter message. */
function assertWithdrawable({ state, withdrawableAt, now }: PaymasterFunds): void {
  if (state === 'none') throw new CliError('NO_STAKE', 'Nothing is staked.')
  if (withdrawableAt === null)
    throw new CliError('STAKE_LOCKED', 'The stake is locked: run `lanyard stake unlock` first.')
  if (now < withdrawableAt)
    throw new CliError('STAKE_LOCKED', `The stake can be withdrawn from ${formatTime(withdrawableAt)} on.`)
}
