import type { Command } from 'commander'
import { type Address, erc20Abi } from 'viem'
import { ofNetworks } from '../manual.ts'
import { requireSettlementToken } from '../open-network.ts'
import { formatTokens, parseAddress, parseTokens, type SendOptions } from '../options.ts'
import { callOf, sendOne, withCall, withStatus } from '../owner-command.ts'

/** As parsed from the command line. */
interface AmountOptions extends SendOptions {
  readonly amount: bigint
  readonly to?: Address
}

/** Seconds; the cap is per clock hour. */
const hour = 3_600n

/** `lanyard liquidity status|fund|withdraw`. */
export function addLiquidity(group: Command): void {
  withStatus(
    group
      .command('status')
      .description('show liquidity, deposits of accounts, cap, and whether it is paused'),
    { environment: ofNetworks, examples: ['liquidity status --network 8453 --json'] },
    async ({ network, contract }) => {
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
      const lines = [
        `SmartBalance ${contract.address}${paused ? ', new orders are paused' : ''}`,
        `  liquidity         ${formatTokens(liquidity)} tokens`,
        `  deposits          ${formatTokens(totalDeposits)} tokens of accounts`,
        `  lent this hour    ${formatTokens(lentThisHour)} of at most ${formatTokens(outflowCap)} tokens`,
      ]
      return { lines, result: { paused, liquidity, totalDeposits, outflowCap, lentThisHour } }
    },
  )
  withCall<AmountOptions>(group.command('fund').description("add the sender's tokens to liquidity"), {
    about: 'This is a plain transfer: the sender gets no claim, and the owner can withdraw the tokens.',
    environment: {
      ...ofNetworks,
      DEPLOYER_PRIVATE_KEY: 'needed: the sender of the tokens; anyone may add some',
    },
    examples: ['liquidity fund --network 8453 --amount 1000'],
    caller: 'anyone',
    async act({ network, contract, owner }, { amount }) {
      const { address } = requireSettlementToken(network.config)
      const scale = await network.call((client) =>
        client.readContract({ ...contract, functionName: 'SCALE' }),
      )
      const description = `add ${formatTokens(amount)} tokens of ${owner.account.address} to liquidity`
      const token = { address, abi: erc20Abi }
      return sendOne(callOf(token, description, 'transfer', [contract.address, amount * scale]), { amount })
    },
  }).requiredOption('--amount <tokens>', 'how much', parseTokens)
  const withdraw = group
    .command('withdraw')
    .description('withdraw tokens from liquidity; deposits of accounts stay')
  withCall<AmountOptions>(withdraw, {
    examples: ['liquidity withdraw --network 8453 --amount 1000 --dry-run'],
    // The contract rejects an amount that would touch a deposit.
    act({ contract, owner }, { amount, to = owner.account.address }) {
      const description = `withdraw ${formatTokens(amount)} tokens of liquidity to ${to}`
      return sendOne(callOf(contract, description, 'withdrawLiquidity', [to, amount]), { to, amount })
    },
  })
    .requiredOption('--amount <tokens>', 'how much', parseTokens)
    .option('--to <address>', 'the recipient (default: the owner)', parseAddress)
}
