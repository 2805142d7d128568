import { type Command, InvalidArgumentError } from 'commander'
import { ofNetworks, ofOwner, withManual } from '../manual.ts'
import {
  type NetworkOptions,
  parseAddress,
  parseNative,
  type SendOptions,
  withNetwork,
  withSending,
} from '../options.ts'
import type { AddOptions } from './stake-add.ts'
import type { WithdrawOptions } from './stake-withdraw.ts'

const about = `
Without a stake most bundlers refuse what SmartBalance pays for: its validation reads its own storage (ERC-7562).
Getting it back takes two steps: unlock, and after the unstake delay withdraw.`

/** `lanyard stake status|add|unlock|withdraw`. */
export function addStake(program: Command): void {
  const stake = program
    .command('stake')
    .description('the stake of SmartBalance, as a paymaster, in EntryPoint')
    .addHelpText('after', about)
  withManual(withNetwork(stake.command('status').description('how much, and whether it is locked')), {
    about,
    environment: ofNetworks,
    examples: ['stake status --network 8453'],
  }).action(async (options: NetworkOptions) => (await import('./stake-status.ts')).showStake(options))
  const add = withSending(stake.command('add').description('add to it; locks again what was unlocked'))
    .requiredOption('--amount <coins>', 'how much of the native coin; 0 only locks', parseNative)
    .option('--unstake-delay <seconds>', 'at least a day, and never shorter than it is', parseDelay)
  withManual(add, {
    environment: ofOwner,
    opensKeys: true,
    examples: ['stake add --network 8453 --amount 0.1'],
  }).action(async (options: AddOptions) => (await import('./stake-add.ts')).addToStake(options))
  const unlock = withSending(
    stake.command('unlock').description('begin to take it back: bundlers refuse orders from then on'),
  )
  withManual(unlock, {
    environment: ofOwner,
    opensKeys: true,
    examples: ['stake unlock --network 8453'],
  }).action(async (options: SendOptions) => (await import('./stake-unlock.ts')).unlockStake(options))
  const withdraw = withSending(
    stake.command('withdraw').description('take all of it back, after the unstake delay'),
  ).option('--to <address>', 'who gets it (default: the owner)', parseAddress)
  withManual(withdraw, {
    environment: ofOwner,
    opensKeys: true,
    examples: ['stake withdraw --network 8453'],
  }).action(async (options: WithdrawOptions) => (await import('./stake-withdraw.ts')).withdrawStake(options))
}

/** A day is what bundlers ask for (ERC-7562); the field has 32 bits. */
function parseDelay(text: string): number {
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (seconds >= 86_400 && seconds < 2 ** 32) return seconds
  throw new InvalidArgumentError('Expected seconds, 86400 at least.')
}
