import { type Address, concat, type Hex, size, slice, type TypedDataDefinition } from 'viem'
import { packUserOperation } from '../user-operation/pack-user-operation.ts'
import type { UserOperation } from '../user-operation/user-operation.ts'
import { delegatedDeployment, isDelegationInitCode } from './deployment.ts'

/** `PACKED_USEROP_TYPEHASH` of EntryPoint v0.8. */
export const packedUserOperationTypes = {
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
