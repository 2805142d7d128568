import { type Hash, keccak256 } from 'viem'
import { type AccountDeployment, safeDeployment } from '../account/deployment.ts'
import { addressWord, hashWord, uint128Pair, uintWord } from '../words.ts'
import { unpackUserOperation } from './unpack-user-operation.ts'
import type { UserOperation } from './user-operation.ts'

/**
 * The operation's identifier on chain and in every bundler: `EntryPoint.getUserOpHash`, v0.7. It does not
 * depend on the signature. The owner signs a different hash: `getSafeOperationHash`.
 *
 * @throws AccountsError as {@link unpackUserOperation}.
 */
export function getUserOperationHash(
  operation: UserOperation,
  {
    chainId,
    entryPoint = safeDeployment.entryPoint,
  }: { chainId: number } & Partial<Pick<AccountDeployment, 'entryPoint'>>,
): Hash {
  unpackUserOperation(operation) // EntryPoint reverts on a malformed one, so it has no hash
  const { sender, nonce, initCode, callData, preVerificationGas, paymasterAndData } = operation
  const gasLimits = uint128Pair(operation.verificationGasLimit, operation.callGasLimit)
  const fees = uint128Pair(operation.maxPriorityFeePerGas, operation.maxFeePerGas)
  const packed = hashWord(
    `0x${addressWord(sender)}${uintWord(nonce)}${hashWord(initCode)}${hashWord(callData)}${gasLimits}${uintWord(preVerificationGas)}${fees}${hashWord(paymasterAndData)}`,
  )
  return keccak256(`0x${packed}${addressWord(entryPoint)}${uintWord(BigInt(chainId))}`)
}
