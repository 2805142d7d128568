import type { Call } from '@lanyard/accounts'
import { smartBalanceAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData } from 'viem'
import { callOf } from './call.ts'

/** Asks for `amount` (6-decimals units) of the deposit, in place of an earlier request. Ready after `exitDelay`. */
export function encodeRequestExit(smartBalance: Address, amount: bigint): Call {
  return callOf(
    smartBalance,
    encodeFunctionData({ abi: smartBalanceAbi, functionName: 'requestExit', args: [amount] }),
  )
}

/** Makes what was exiting spendable again. */
export function encodeCancelExit(smartBalance: Address): Call {
  return callOf(smartBalance, encodeFunctionData({ abi: smartBalanceAbi, functionName: 'cancelExit' }))
}

/** Pays a ripe exit to `to`. */
export function encodeFinalizeExit(smartBalance: Address, to: Address): Call {
  return callOf(
    smartBalance,
    encodeFunctionData({ abi: smartBalanceAbi, functionName: 'finalizeExit', args: [to] }),
  )
}
