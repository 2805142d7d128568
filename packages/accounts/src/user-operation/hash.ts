import {
  type Address,
  concat,
  type Hash,
  type Hex,
  isAddressEqual,
  keccak256,
  size,
  slice,
  stringToHex,
  type TypedDataDefinition,
} from 'viem'
import { delegatedDeployment, isDelegationInitCode } from '../eip7702/deployment.ts'
import { defaultDeployment } from '../safe/deployment.ts'
import { addressWord, hashWord, uint128Pair, uintWord } from '../words.ts'
import { packUserOperation, type UserOperation, unpackUserOperation } from './user-operation.ts'

/** `PACKED_USEROP_TYPEHASH` of EntryPoint v0.8. */
const packedUserOperationTypes = {
  PackedUserOperation: [
    { name: 'sender', type: 'address' },
    { name: 'nonce', type: 'uint256' },
    { name: 'initCode', type: 'bytes' },
    { name: 'callData', type: 'bytes' },
    { name: 'accountGasLimits', type: 'bytes32' },
    { name: 'preVerificationGas', type: 'uint256' },
    { name: 'gasFees', type: 'bytes32' },
    { name: 'paymasterAndData', type: 'bytes' },
  ],
} as const

/**
 * The `initCode` that EntryPoint v0.8 hashes: in place of the marker, the delegate whose code the sender runs then.
 * So a signature holds only for the delegate that its owner chose.
 */
function hashedInitCode(initCode: Hex, delegate: Address = delegatedDeployment.delegate): Hex {
  if (initCode === '0x' || !isDelegationInitCode(initCode)) return initCode
  return size(initCode) <= 20 ? delegate : concat([delegate, slice(initCode, 20)])
}

/**
 * The EIP-712 message whose digest is the hash of an operation for EntryPoint v0.8, which a delegated EOA signs.
 *
 * @throws AccountsError OUT_OF_RANGE, MALFORMED as `packUserOperation`
 */
export function operationTypedData(
  operation: UserOperation,
  { chainId, entryPoint = delegatedDeployment.entryPoint }: { chainId: number; entryPoint?: Address },
): TypedDataDefinition<typeof packedUserOperationTypes, 'PackedUserOperation'> {
  const {
    sender,
    nonce,
    initCode,
    callData,
    accountGasLimits,
    preVerificationGas,
    gasFees,
    paymasterAndData,
  } = packUserOperation(operation)
  return {
    domain: { name: 'ERC4337', version: '1', chainId, verifyingContract: entryPoint },
    types: packedUserOperationTypes,
    primaryType: 'PackedUserOperation',
    message: {
      ...{ sender, nonce, initCode: hashedInitCode(initCode), callData, accountGasLimits },
      ...{ preVerificationGas, gasFees, paymasterAndData },
    },
  }
}

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
function hashOperationTypedData(
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
  const entryPoint = operation.entryPoint ?? context.entryPoint ?? defaultDeployment.entryPoint
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
