import { smartBalanceAbi } from '@lanyard/onchain'
import type { Command } from 'commander'
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { ofNetworks, ofOwner, withManual } from '../manual.ts'
import { requireSettlementToken } from '../open-network.ts'
import {
  formatTokens,
  type NetworkOptions,
  parseAddress,
  parseTokens,
  type SendOptions,
  withNetwork,
  withSending,
} from '../options.ts'
import { openAsOwner, openSmartBalance } from '../smart-balance-session.ts'

/** `lanyard liquidity status|fund|withdraw`. */
export function addLiquidity(group: Command): void {
  const liquidity = group
  const status = withNetwork(
    liquidity
      .command('status')
      .description('show liquidity, deposits of accounts, cap, and whether it is paused'),
  )
  withManual(status, {
    environment: ofNetworks,
    examples: ['liquidity status --network 8453 --json'],
  }).action((options: NetworkOptions) => showLiquidity(options))
  const fund = withSending(
    liquidity.command('fund').description("add the sender's tokens to liquidity"),
  ).requiredOption('--amount <tokens>', 'how much', parseTokens)
  withManual(fund, {
    about: 'This is a plain transfer: the sender gets no claim, and the owner can withdraw the tokens.',
    environment: {
      ...ofNetworks,
      DEPLOYER_PRIVATE_KEY: 'needed: the sender of the tokens; anyone may add some',
    },
    opensKeys: true,
    examples: ['liquidity fund --network 8453 --amount 1000'],
  }).action((options: FundOptions) => fundLiquidity(options))
  const withdraw = withSending(
    liquidity.command('withdraw').description('withdraw tokens from liquidity; deposits of accounts stay'),
  )
    .requiredOption('--amount <tokens>', 'how much', parseTokens)
    .option('--to <address>', 'the recipient (default: the owner)', parseAddress)
  withManual(withdraw, {
    environment: ofOwner,
    opensKeys: true,
    examples: ['liquidity withdraw --network 8453 --amount 1000 --dry-run'],
  }).action((options: WithdrawOptions) => withdrawLiquidity(options))
}

/** As parsed from the command line. */
interface FundOptions extends SendOptions {
  readonly amount: bigint
}

/** `lanyard liquidity fund`: a plain transfer; the sender gets no claim on it. */
async function fundLiquidity(options: FundOptions): Promise<void> {
  const { amount } = options
  const { network, contract, owner, send, finish } = await openAsOwner(options, { caller: 'anyone' })
  const token = requireSettlementToken(network.config)
  const scale = await network.call((client) => client.readContract({ ...contract, functionName: 'SCALE' }))
  const sent = await send([
    {
      description: `add ${formatTokens(amount)} tokens of ${owner.account.address} to liquidity`,
      to: token.address,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [contract.address, amount * scale],
      }),
    },
  ])
  finish({ amount, sent })
}

/** Seconds; the cap is per clock hour. */
const hour = 3_600n

/** `lanyard liquidity status`: as of the newest block. */
async function showLiquidity(options: NetworkOptions): Promise<void> {
  const { network, contract, output } = await openSmartBalance(options)
  const [liquidity, totalDeposits, [outflowCap, spent, spentHour], paused, block] = await network.call(
    (client) =>
      Promise.all([
        client.readContract({ ...contract, functionName: 'liquidity' }),
        client.readContract({ ...contract, functionName: 'totalDeposits' }),
        client.readContract({ ...contract, functionName: 'outflow' }),
        client.readContract({ ...contract, functionName: 'paused' }),
        client.getBlock(),
      ]),
  )
  const lentThisHour = BigInt(spentHour) === block.timestamp / hour ? spent : 0n
  output.say(`SmartBalance ${contract.address}${paused ? ', new orders are paused' : ''}`)
  output.say(`  liquidity         ${formatTokens(liquidity)} tokens`)
  output.say(`  deposits          ${formatTokens(totalDeposits)} tokens of accounts`)
  output.say(
    `  lent this hour    ${formatTokens(lentThisHour)} of at most ${formatTokens(outflowCap)} tokens`,
  )
  output.finish({
    ...{ network: network.chainId, smartBalance: contract.address, paused },
    ...{ liquidity, totalDeposits, outflowCap, lentThisHour },
  })
}

/** As parsed from the command line. */
interface WithdrawOptions extends SendOptions {
  readonly amount: bigint
  readonly to?: Address
}

/** `lanyard liquidity withdraw`. The contract rejects an amount that would touch a deposit. */
async function withdrawLiquidity(options: WithdrawOptions): Promise<void> {
  const { contract, owner, send, finish } = await openAsOwner(options)
  const { amount, to = owner.account.address } = options
  const sent = await send([
    {
      description: `withdraw ${formatTokens(amount)} tokens of liquidity to ${to}`,
      to: contract.address,
      data: encodeFunctionData({
        abi: smartBalanceAbi,
        functionName: 'withdrawLiquidity',
        args: [to, amount],
      }),
    },
  ])
  finish({ to, amount, sent })
}
