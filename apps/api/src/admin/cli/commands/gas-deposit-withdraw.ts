import { smartBalanceAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData, formatEther } from 'viem'
import type { SendOptions } from '../options.ts'
import { openAsOwner } from '../smart-balance-session.ts'

/** As parsed from the command line. */
export interface WithdrawOptions extends SendOptions {
  readonly amount: bigint
  readonly to?: Address
}

/** `lanyard gas-deposit withdraw`. EntryPoint refuses more than is there. */
export async function withdrawGasDeposit(options: WithdrawOptions): Promise<void> {
  const { contract, owner, send, finish } = await openAsOwner(options)
  const { amount, to = owner.account.address } = options
  const sent = await send([
    {
      description: `withdraw ${formatEther(amount)} of the native coin from the gas deposit to ${to}`,
      to: contract.address,
      data: encodeFunctionData({ abi: smartBalanceAbi, functionName: 'withdrawGas', args: [to, amount] }),
    },
  ])
  finish({ to, amount, sent })
}
