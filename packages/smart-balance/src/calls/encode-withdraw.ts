import type { Call } from '@lanyard/accounts'
import { smartBalanceAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import type { Withdrawal } from '../withdrawal/withdrawal.ts'
import { callOf } from './call.ts'

/** A withdrawal with the operator's co-signature (over `getWithdrawalHash`), 65 bytes. */
export type CosignedWithdrawal = Withdrawal & { readonly signature: Hex }

/** The account withdraws from its own deposit. */
export function encodeWithdraw(smartBalance: Address, withdrawal: CosignedWithdrawal): Call {
  const { to, amount, fee, salt, deadline, signature } = withdrawal
  return callOf(
    smartBalance,
    encodeFunctionData({
      abi: smartBalanceAbi,
      functionName: 'withdraw',
      args: [to, amount, fee, salt, deadline, signature],
    }),
  )
}
