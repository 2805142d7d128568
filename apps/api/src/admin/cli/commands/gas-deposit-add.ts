import { smartBalanceAbi } from '@lanyard/onchain'
import { encodeFunctionData, formatEther } from 'viem'
import type { SendOptions } from '../options.ts'
import { openAsOwner } from '../smart-balance-session.ts'

/** `lanyard gas-deposit add`: anyone may. */
export async function addToGasDeposit(options: SendOptions & { readonly amount: bigint }): Promise<void> {
  const { amount } = options
  const { contract, send, finish } = await openAsOwner(options, { caller: 'anyone' })
  const sent = await send([
    {
      description: `add ${formatEther(amount)} of the native coin to the gas deposit`,
      to: contract.address,
      data: encodeFunctionData({ abi: smartBalanceAbi, functionName: 'depositGas' }),
      value: amount,
    },
  ])
  finish({ amount, sent })
}
