import type { Call } from '@lanyard/accounts'
import { smartBalanceAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData } from 'viem'
import { callOf } from './call.ts'

/**
 * The account takes the lent amount. Required even if nothing is lent, as long as the order has debits:
 * otherwise postOp would see a failure.
 *
 * @param nonce the whole nonce of the operation that makes the call.
 */
export function encodeClaim(smartBalance: Address, nonce: bigint): Call {
  return callOf(
    smartBalance,
    encodeFunctionData({ abi: smartBalanceAbi, functionName: 'claim', args: [nonce] }),
  )
}
