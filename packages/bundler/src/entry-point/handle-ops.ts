import { packUserOperation, type SignedUserOperation } from '@lanyard/accounts'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'

/** Call data of `EntryPoint.handleOps(ops, beneficiary)`. */
export const encodeHandleOps = (operations: readonly SignedUserOperation[], beneficiary: Address): Hex =>
  encodeFunctionData({
    abi: entryPoint07Abi,
    functionName: 'handleOps',
    args: [operations.map(packUserOperation), beneficiary],
  })
