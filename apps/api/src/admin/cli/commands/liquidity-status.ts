import { formatTokens, type NetworkOptions } from '../options.ts'
import { openSmartBalance } from '../smart-balance-session.ts'

/** Seconds; the cap counts hours of the clock. */
const hour = 3_600n

/** `lanyard liquidity status`: as of the newest block. */
export async function showLiquidity(options: NetworkOptions): Promise<void> {
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
