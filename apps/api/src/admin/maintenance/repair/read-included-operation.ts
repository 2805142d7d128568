import { getUserOperationHash, type SignedUserOperation } from '@lanyard/accounts'
import { entryPointsOf, type Network } from '@lanyard/networks'
import { decodeFunctionData, type Hash, type Hex, hexToBigInt, isAddressEqual, slice } from 'viem'
import { entryPoint07Abi, type PackedUserOperation } from 'viem/account-abstraction'

/**
 * Reads an operation from the call data of the transaction that included it, with the signature that the
 * chain accepted.
 *
 * @returns undefined when a contract called EntryPoint, or when the call is not handleOps
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readIncludedOperation(
  network: Network,
  { txnHash, userOpHash }: { readonly txnHash: Hash; readonly userOpHash: Hash },
): Promise<SignedUserOperation | undefined> {
  const { chainId, config } = network
  const { to, input } = await network.call((client) => client.getTransaction({ hash: txnHash }))
  const entryPoint = entryPointsOf(config).find((one) => to && isAddressEqual(to, one))
  if (!entryPoint) return undefined
  return readHandleOps(input).find(
    (operation) => getUserOperationHash(operation, { chainId, entryPoint }) === userOpHash,
  )
}

function readHandleOps(input: Hex): SignedUserOperation[] {
  try {
    const { functionName, args } = decodeFunctionData({ abi: entryPoint07Abi, data: input })
    return functionName === 'handleOps' ? args[0].map(unpack) : []
  } catch {
    return [] // another function
  }
}

/** PackedUserOperation of EntryPoint v0.7 and v0.8: two fields consist of two halves of 16 bytes each. */
function unpack({ accountGasLimits, gasFees, ...operation }: PackedUserOperation): SignedUserOperation {
  return {
    ...operation,
    verificationGasLimit: hexToBigInt(slice(accountGasLimits, 0, 16)),
    callGasLimit: hexToBigInt(slice(accountGasLimits, 16)),
    maxPriorityFeePerGas: hexToBigInt(slice(gasFees, 0, 16)),
    maxFeePerGas: hexToBigInt(slice(gasFees, 16)),
  }
}
