import type { Command } from 'commander'
import { type NetworkOptions, parseAddress, parseTokens, withNetwork, withSending } from '../options.ts'
import type { FundOptions } from './liquidity-fund.ts'
import type { WithdrawOptions } from './liquidity-withdraw.ts'

/** `lanyard liquidity status|fund|withdraw`. */
export function addLiquidity(program: Command): void {
  const liquidity = program.command('liquidity').description('what the operator lends on a network')
  withNetwork(
    liquidity.command('status').description('liquidity, deposits of accounts, cap, and whether it is paused'),
  ).action(async (options: NetworkOptions) => (await import('./liquidity-status.ts')).showLiquidity(options))
  withSending(liquidity.command('fund').description("add the owner's tokens to it"))
    .requiredOption('--amount <tokens>', 'how much', parseTokens)
    .action(async (options: FundOptions) => (await import('./liquidity-fund.ts')).fundLiquidity(options))
  withSending(liquidity.command('withdraw').description('take tokens out of it; deposits of accounts stay'))
    .requiredOption('--amount <tokens>', 'how much', parseTokens)
    .option('--to <address>', 'who gets them (default: the owner)', parseAddress)
    .action(async (options: WithdrawOptions) =>
      (await import('./liquidity-withdraw.ts')).withdrawLiquidity(options),
    )
}
