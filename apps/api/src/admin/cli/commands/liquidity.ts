import type { Command } from 'commander'
import { ofNetworks, ofOwner, withManual } from '../manual.ts'
import { type NetworkOptions, parseAddress, parseTokens, withNetwork, withSending } from '../options.ts'
import type { FundOptions } from './liquidity-fund.ts'
import type { WithdrawOptions } from './liquidity-withdraw.ts'

/** `lanyard liquidity status|fund|withdraw`. */
export function addLiquidity(program: Command): void {
  const liquidity = program.command('liquidity').description('what the operator lends on a network')
  const status = withNetwork(
    liquidity.command('status').description('liquidity, deposits of accounts, cap, and whether it is paused'),
  )
  withManual(status, {
    environment: ofNetworks,
    examples: ['liquidity status --network 8453 --json'],
  }).action(async (options: NetworkOptions) => (await import('./liquidity-status.ts')).showLiquidity(options))
  const fund = withSending(
    liquidity.command('fund').description("add tokens of the sender's to it"),
  ).requiredOption('--amount <tokens>', 'how much', parseTokens)
  withManual(fund, {
    about: 'A plain transfer: who sends it gets no claim on it, and the owner can withdraw it.',
    environment: { ...ofNetworks, DEPLOYER_PRIVATE_KEY: 'needed: whose tokens; anyone may' },
    opensKeys: true,
    examples: ['liquidity fund --network 8453 --amount 1000'],
  }).action(async (options: FundOptions) => (await import('./liquidity-fund.ts')).fundLiquidity(options))
  const withdraw = withSending(
    liquidity.command('withdraw').description('take tokens out of it; deposits of accounts stay'),
  )
    .requiredOption('--amount <tokens>', 'how much', parseTokens)
    .option('--to <address>', 'who gets them (default: the owner)', parseAddress)
  withManual(withdraw, {
    environment: ofOwner,
    opensKeys: true,
    examples: ['liquidity withdraw --network 8453 --amount 1000 --dry-run'],
  }).action(async (options: WithdrawOptions) =>
    (await import('./liquidity-withdraw.ts')).withdrawLiquidity(options),
  )
}
