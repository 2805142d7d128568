import { safeAbi } from '@lanyard/accounts'
import { smartBalanceAbi } from '@lanyard/onchain'
import { type OrderRecord, readOrderRecord } from '@lanyard/smart-balance'
import { type Address, decodeFunctionResult, encodeFunctionData, type Hash, type Hex } from 'viem'
import type { Read } from './multicall-at-block.ts'

const abi = smartBalanceAbi

/** An order that was signed for an operation. */
export interface SignedNonce {
  readonly orderHash: Hash
  readonly outputNetwork: number
  readonly nonce: bigint
}

/** The reads of a SmartBalance contract about deposits. Amounts have 6 decimals. */
export const depositReads = (target: Address) => ({
  /** Balance, the exiting part of it, and when that can be withdrawn (Unix seconds; 0 without an exit). */
  account: (account: Address): Read<readonly [bigint, bigint, number]> => ({
    target,
    callData: encodeFunctionData({ abi, functionName: 'accounts', args: [account] }),
    decode: (data) => decodeFunctionResult({ abi, functionName: 'accounts', data }),
  }),
  /** Until when a signer may debit an account, Unix seconds. */
  signerUntil: (account: Address, signer: Hex): Read<number> => ({
    target,
    callData: encodeFunctionData({ abi, functionName: 'signerUntil', args: [account, signer] }),
    decode: (data) => decodeFunctionResult({ abi, functionName: 'signerUntil', data }),
  }),
  /** The amount settled here for an order of the account on another network. */
  settled: (account: Address, { orderHash, outputNetwork, nonce }: SignedNonce): Read<OrderRecord> => ({
    target,
    callData: encodeFunctionData({
      abi,
      functionName: 'settled',
      args: [account, BigInt(outputNetwork), nonce],
    }),
    decode: (data) =>
      readOrderRecord(decodeFunctionResult({ abi, functionName: 'settled', data }), orderHash),
  }),
  usedWithdrawal: (digest: Hex): Read<boolean> => ({
    target,
    callData: encodeFunctionData({ abi, functionName: 'usedWithdrawal', args: [digest] }),
    decode: (data) => decodeFunctionResult({ abi, functionName: 'usedWithdrawal', data }),
  }),
})

/** The owners of a Safe; empty for an address that is not a Safe or is not deployed yet. */
export const ownersRead = (account: Address): Read<readonly Address[]> => ({
  target: account,
  callData: encodeFunctionData({ abi: safeAbi, functionName: 'getOwners' }),
  decode: (data) => decodeFunctionResult({ abi: safeAbi, functionName: 'getOwners', data }),
  reverted: [],
})
