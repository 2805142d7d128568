import { type Hash, keccak256, stringToHex } from 'viem'
import type { UserOperation } from '../../user-operation/user-operation.ts'
import { addressWord, hashWord, uintWord } from '../../words.ts'
import { safeDeployment } from '../deployment/deployment.ts'
import {
  type SafeOperationContext,
  safeOperationTypedData,
  safeOperationTypes,
} from './safe-operation-typed-data.ts'

const typeHash = (text: string) => keccak256(stringToHex(text)).slice(2)

/** EIP-712, section `encodeType`. */
const safeOperationType = typeHash(
  `SafeOp(${safeOperationTypes.SafeOp.map(({ type, name }) => `${type} ${name}`).join()})`,
)
const domainType = typeHash('EIP712Domain(uint256 chainId,address verifyingContract)')

/**
 * The 32 bytes that an owner signs: the EIP-712 digest of the SafeOp, `Safe4337Module.getOperationHash`. It
 * is the service's `messageToSign`, and the challenge of a passkey. It equals viem's `hashTypedData` of
 * {@link safeOperationTypedData}.
 *
 * @throws AccountsError OUT_OF_RANGE for a number that does not fit its field.
 */
export function getSafeOperationHash(operation: UserOperation, context: SafeOperationContext): Hash {
  const { message } = safeOperationTypedData(operation, context)
  const { chainId, module = safeDeployment.module } = context
  const separator = hashWord(`0x${domainType}${uintWord(BigInt(chainId))}${addressWord(module)}`)
  const struct = hashWord(
    `0x${safeOperationType}${addressWord(message.safe)}${uintWord(message.nonce)}${hashWord(message.initCode)}${hashWord(message.callData)}${uintWord(message.verificationGasLimit)}${uintWord(message.callGasLimit)}${uintWord(message.preVerificationGas)}${uintWord(message.maxPriorityFeePerGas)}${uintWord(message.maxFeePerGas)}${hashWord(message.paymasterAndData)}${uintWord(BigInt(message.validAfter))}${uintWord(BigInt(message.validUntil))}${addressWord(message.entryPoint)}`,
  )
  return keccak256(`0x1901${separator}${struct}`)
}
