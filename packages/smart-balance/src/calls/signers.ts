import type { Call } from '@lanyard/accounts'
import { smartBalanceAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { callOf } from './call.ts'

/** Pins a signer (`signerId`) of the account, effective immediately. */
export function encodeAddSigner(smartBalance: Address, signer: Hex): Call {
  return callOf(
    smartBalance,
    encodeFunctionData({ abi: smartBalanceAbi, functionName: 'addSigner', args: [signer] }),
  )
}

/** Removes a pinned signer (`signerId`) of the account, effective after `signerRemovalDelay`. */
export function encodeRemoveSigner(smartBalance: Address, signer: Hex): Call {
  return callOf(
    smartBalance,
    encodeFunctionData({ abi: smartBalanceAbi, functionName: 'removeSigner', args: [signer] }),
  )
}
