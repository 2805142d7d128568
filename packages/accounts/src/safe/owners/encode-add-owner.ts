import { safeAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData } from 'viem'
import type { Call } from '../../call.ts'

/**
 * The account's call to itself that adds an owner: an EOA, or a passkey's signer contract
 * (`computeSignerAddress`). The threshold stays 1, so each owner can act alone.
 */
export function encodeAddOwner({ account, owner }: { account: Address; owner: Address }): Call {
  return {
    to: account,
    value: 0n,
    data: encodeFunctionData({ abi: safeAbi, functionName: 'addOwnerWithThreshold', args: [owner, 1n] }),
  }
}
