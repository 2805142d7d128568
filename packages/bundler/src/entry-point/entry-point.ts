import { packUserOperation, type SignedUserOperation, type UserOperation } from '@lanyard/accounts'
import { entryPointsOf, entryPointV08, type NetworkConfig } from '@lanyard/networks'
import { type Address, encodeFunctionData, type Hex, isAddressEqual } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'

type Pointed = Pick<UserOperation, 'entryPoint'>

/** The EntryPoint that an operation goes through. */
export const entryPointOf = (
  { config }: { readonly config: Pick<NetworkConfig, 'entryPoint'> },
  { entryPoint }: Pointed,
): Address => entryPoint ?? config.entryPoint

/** Whether the sender of an operation is a delegated EOA: such accounts have an EntryPoint of their own. */
export const isOfDelegatedAccount = ({ entryPoint }: Pointed): boolean =>
  entryPoint !== undefined && isAddressEqual(entryPoint, entryPointV08)

/** Whether a network has the EntryPoint of an operation. */
export const hasEntryPoint = (
  { config }: { readonly config: Pick<NetworkConfig, 'entryPoint' | 'accountKinds'> },
  operation: Pointed,
): boolean => entryPointsOf(config).some((one) => isAddressEqual(one, entryPointOf({ config }, operation)))

/** Call data of `EntryPoint.handleOps(ops, beneficiary)`. */
export const encodeHandleOps = (operations: readonly SignedUserOperation[], beneficiary: Address): Hex =>
  encodeFunctionData({
    abi: entryPoint07Abi,
    functionName: 'handleOps',
    args: [operations.map(packUserOperation), beneficiary],
  })
