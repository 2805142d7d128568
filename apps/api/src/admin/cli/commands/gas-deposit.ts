import type { Command } from 'commander'
import { ofNetworks, ofOwner, withManual } from '../manual.ts'
import { type NetworkOptions, parseAddress, parseNative, withNetwork, withSending } from '../options.ts'
import type { WithdrawOptions } from './gas-deposit-withdraw.ts'

interface AddOptions extends NetworkOptions {
  readonly amount: bigint
}

/** `lanyard gas-deposit status|add|withdraw`. */
export function addGasDeposit(program: Command): void {
  const deposit = program
    .command('gas-deposit')
    .description('what SmartBalance pays gas from: its deposit in EntryPoint')
  withManual(withNetwork(deposit.command('status').description('how much is there')), {
    environment: ofNetworks,
    examples: ['gas-deposit status --network 8453'],
  }).action(async (options: NetworkOptions) =>
    (await import('./gas-deposit-status.ts')).showGasDeposit(options),
  )
  const add = withSending(deposit.command('add').description('add to it')).requiredOption(
    '--amount <coins>',
    'how much of the native coin',
    parseNative,
  )
  withManual(add, {
    environment: { ...ofNetworks, DEPLOYER_PRIVATE_KEY: 'needed: who pays; anyone may' },
    opensKeys: true,
    examples: ['gas-deposit add --network 8453 --amount 0.2'],
  }).action(async (options: AddOptions) => (await import('./gas-deposit-add.ts')).addToGasDeposit(options))
  const withdraw = withSending(deposit.command('withdraw').description('take from it'))
    .requiredOption('--amount <coins>', 'how much of the native coin', parseNative)
    .option('--to <address>', 'who gets it (default: the owner)', parseAddress)
  withManual(withdraw, {
    environment: ofOwner,
    opensKeys: true,
    examples: ['gas-deposit withdraw --network 8453 --amount 0.05'],
  }).action(async (options: WithdrawOptions) =>
    (await import('./gas-deposit-withdraw.ts')).withdrawGasDeposit(options),
  )
}
