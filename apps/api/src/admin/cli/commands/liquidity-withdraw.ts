import { smartBalanceAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData } from 'viem'
import { formatTokens, type SendOptions } from '../options.ts'
import { openAsOwner } from '../smart-balance-session.ts'

/** As parsed from the command line. */
export interface WithdrawOptions extends SendOptions {
  readonly amount: bigint
  readonly to?: Address
}

/** `lanyard liquidity withdraw`. The contract refuses what would touch a deposit. */
export async function withdrawLiquidity(options: WithdrawOptions): Promise<void> {
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
