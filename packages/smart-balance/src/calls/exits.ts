import type { Call } from '@lanyard/accounts'
import { smartBalanceAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData } from 'viem'
import { callOf } from './call.ts'

/**
 * Requests an exit of `amount` (6-decimal units) from the deposit, replacing an earlier request. Ready after
 * `exitDelay`.
 */
export function encodeRequestExit(smartBalance: Address, amount: bigint): Call {
  return callOf(
    smartBalance,
    encodeFunctionData({ abi: smartBalanceAbi, functionName: 'requestExit', args: [amount] }),
  )
}

/** Cancels an exit, which makes its amount spendable again. */
export function encodeCancelExit(smartBalance: Address): Call {
  return callOf(smartBalance, encodeFunctionData({ abi: smartBalanceAbi, functionName: 'cancelExit' }))
}

/** Pays an exit that is ready to `to`. */
export function encodeFinalizeExit(smartBalance: Address, to: Address): Call {
  return callOf(
    smartBalance,
    encodeFunctionData({ abi: smartBalanceAbi, functionName: 'finalizeExit', args: [to] }),
  )
}
