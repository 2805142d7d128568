import { type Address, type Hash, isAddressEqual, keccak256 } from 'viem'
import { delegatedDeployment } from '../eip7702/deployment.ts'
import { hashOperationTypedData } from '../eip7702/operation-typed-data.ts'
import { safeDeployment } from '../safe/deployment.ts'
import { addressWord, hashWord, uint128Pair, uintWord } from '../words.ts'
import { type UserOperation, unpackUserOperation } from './user-operation.ts'

/**
 * The operation's identifier on chain and in every bundler: `EntryPoint.getUserOpHash`, of v0.7 or, if the operation
 * is for that one, of v0.8. It does not depend on the signature. The owner of a Safe signs a different hash:
 * `getSafeOperationHash`.
 *
 * @throws AccountsError as {@link unpackUserOperation}.
 */
export function getUserOperationHash(
  operation: UserOperation,
  context: { chainId: number; entryPoint?: Address },
): Hash {
  const { chainId } = context
  const entryPoint = operation.entryPoint ?? context.entryPoint ?? safeDeployment.entryPoint
  if (isAddressEqual(entryPoint, delegatedDeployment.entryPoint))
    return hashOperationTypedData(operation, { chainId, entryPoint })
  unpackUserOperation(operation) // EntryPoint reverts on a malformed one, so it has no hash
  const { sender, nonce, initCode, callData, preVerificationGas, paymasterAndData } = operation
  const gasLimits = uint128Pair(operation.verificationGasLimit, operation.callGasLimit)
  const fees = uint128Pair(operation.maxPriorityFeePerGas, operation.maxFeePerGas)
  const packed = hashWord(
    `0x${addressWord(sender)}${uintWord(nonce)}${hashWord(initCode)}${hashWord(callData)}${gasLimits}${uintWord(preVerificationGas)}${fees}${hashWord(paymasterAndData)}`,
  )
  return keccak256(`0x${packed}${addressWord(entryPoint)}${uintWord(BigInt(chainId))}`)
}
