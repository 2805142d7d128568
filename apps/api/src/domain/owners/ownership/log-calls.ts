import { encodeInitCode } from '@lanyard/accounts'
import { multicall3 } from '@lanyard/networks'
import { ownershipAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData, type Hex, multicall3Abi, sliceHex } from 'viem'
import type { Wallet } from '../../accounts/accounts/safe-kind.ts'
import type { SignedChange } from './signed-change.ts'

/**
 * One call that brings a network up to date: the account's deployment if it is not there, then each change. Nobody has
 * the account before its owners are those that were signed, and if one call fails, none counts.
 */
export function encodeLog(
  module: Address,
  { address: account, owner, deployment }: Wallet,
  deployed: boolean,
  changes: readonly Pick<SignedChange, 'sequence' | 'kind' | 'data' | 'signature'>[],
): { readonly to: Address; readonly data: Hex } {
  const applied = changes.map(({ sequence, kind, data, signature }) => ({
    target: module,
    allowFailure: false,
    callData: encodeFunctionData({
      abi: ownershipAbi,
      functionName: 'applyChange',
      args: [account, sequence, kind, data, signature],
    }),
  }))
  const [first] = applied
  if (deployed && first && applied.length === 1) return { to: module, data: first.callData }
  // initCode is factory ‖ call data (ERC-4337). Here the factory is called directly.
  const initCode = encodeInitCode(owner, deployment)
  const created = { target: deployment.factory, allowFailure: false, callData: sliceHex(initCode, 20) }
  return {
    to: multicall3,
    data: encodeFunctionData({
      abi: multicall3Abi,
      functionName: 'aggregate3',
      args: [deployed ? applied : [created, ...applied]],
    }),
  }
}
