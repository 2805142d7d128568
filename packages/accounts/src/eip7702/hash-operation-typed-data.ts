import { type Address, type Hash, keccak256, stringToHex } from 'viem'
import type { UserOperation } from '../user-operation/user-operation.ts'
import { addressWord, hashWord, uintWord } from '../words.ts'
import { operationTypedData, packedUserOperationTypes } from './operation-typed-data.ts'

const hashText = (text: string) => keccak256(stringToHex(text)).slice(2)

/** EIP-712, section `encodeType`. */
const typeHash = hashText(
  `PackedUserOperation(${packedUserOperationTypes.PackedUserOperation.map(({ type, name }) => `${type} ${name}`).join()})`,
)
const domainType = hashText(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
)

/**
 * viem's `hashTypedData` of {@link operationTypedData}. It takes the hash of long call data from those that are
 * known, so that another thread can compute it.
 *
 * @throws AccountsError as {@link operationTypedData}
 */
export function hashOperationTypedData(
  operation: UserOperation,
  context: { readonly chainId: number; readonly entryPoint: Address },
): Hash {
  const { domain, message } = operationTypedData(operation, context)
  const { name = '', version = '' } = domain ?? {}
  const separator = hashWord(
    `0x${domainType}${hashText(name)}${hashText(version)}${uintWord(BigInt(context.chainId))}${addressWord(context.entryPoint)}`,
  )
  const struct = hashWord(
    `0x${typeHash}${addressWord(message.sender)}${uintWord(message.nonce)}${hashWord(message.initCode)}${hashWord(message.callData)}${message.accountGasLimits.slice(2)}${uintWord(message.preVerificationGas)}${message.gasFees.slice(2)}${hashWord(message.paymasterAndData)}`,
  )
  return keccak256(`0x1901${separator}${struct}`)
}
