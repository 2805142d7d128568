import type { Command } from 'commander'
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
  withNetwork(deposit.command('status').description('how much is there')).action(
    async (options: NetworkOptions) => (await import('./gas-deposit-status.ts')).showGasDeposit(options),
  )
  withSending(deposit.command('add').description('add to it'))
    .requiredOption('--amount <coins>', 'how much of the native coin', parseNative)
    .action(async (options: AddOptions) => (await import('./gas-deposit-add.ts')).addToGasDeposit(options))
  withSending(deposit.command('withdraw').description('take from it'))
    .requiredOption('--amount <coins>', 'how much of the native coin', parseNative)
    .option('--to <address>', 'who gets it (default: the owner)', parseAddress)
    .action(async (options: WithdrawOptions) =>
      (await import('./gas-deposit-withdraw.ts')).withdrawGasDeposit(options),
    )
}
