import { getUserOperationHash, type SignedUserOperation } from '@lanyard/accounts'
import type { Network } from '@lanyard/networks'
import { decodeFunctionData, type Hash, type Hex, hexToBigInt, isAddressEqual, slice } from 'viem'
import { entryPoint07Abi, type PackedUserOperation } from 'viem/account-abstraction'

/** geth's `callTracer`, as far as it is read here. */
interface CallFrame {
  readonly to?: Hex
  readonly input: Hex
  readonly calls?: readonly CallFrame[]
}

/**
 * An operation as a transaction brought it to EntryPoint, with the signature that the chain accepted: by the
 * transaction's own call data, or, where a contract called EntryPoint, by its trace.
 *
 * @returns undefined when the node has no trace of it
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readIncludedOperation(
  network: Network,
  { txnHash, userOpHash }: { readonly txnHash: Hash; readonly userOpHash: Hash },
): Promise<SignedUserOperation | undefined> {
  const { to, input } = await network.call((client) => client.getTransaction({ hash: txnHash }))
  const direct = findOperation(network, { ...(to && { to }), input }, userOpHash)
  if (direct) return direct
  const trace = await network
    .call((client) =>
      client.request<{ Parameters: [Hash, { tracer: string }]; ReturnType: CallFrame }>({
        method: 'debug_traceTransaction' as never, // not among viem's public methods
        params: [txnHash, { tracer: 'callTracer' }] as never,
      }),
    )
    .catch(() => undefined)
  return trace && findInTrace(network, trace, userOpHash)
}

function findInTrace(network: Network, frame: CallFrame, userOpHash: Hash): SignedUserOperation | undefined {
  const found = findOperation(network, frame, userOpHash)
  if (found) return found
  for (const inner of frame.calls ?? []) {
    const deeper = findInTrace(network, inner, userOpHash)
    if (deeper) return deeper
  }
  return undefined
}

function findOperation(
  { chainId, config: { entryPoint } }: Network,
  { to, input }: CallFrame,
  userOpHash: Hash,
): SignedUserOperation | undefined {
  if (!to || !isAddressEqual(to, entryPoint)) return undefined
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

/** PackedUserOperation of EntryPoint v0.7: two halves of 16 bytes in each of two fields. */
function unpack({ accountGasLimits, gasFees, ...operation }: PackedUserOperation): SignedUserOperation {
  return {
    ...operation,
    verificationGasLimit: hexToBigInt(slice(accountGasLimits, 0, 16)),
    callGasLimit: hexToBigInt(slice(accountGasLimits, 16)),
    maxPriorityFeePerGas: hexToBigInt(slice(gasFees, 0, 16)),
    maxFeePerGas: hexToBigInt(slice(gasFees, 16)),
  }
}
