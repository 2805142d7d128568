import { fromWireUserOperation, getUserOperationHash, type WireUserOperation } from '@lanyard/accounts'
import type { Address, Hash } from 'viem'
import type { orderChains } from '../orders/order-chains.ts'
import type { LoadClient } from './client.ts'

/** The network where accounts act, and the network that holds the deposits of orders. */
export const outputNetwork = 31338
export const sourceNetwork = 31337

/** A signed operation. It must be on the chain exactly once. */
export interface SignedOperation {
  readonly network: number
  readonly sender: Address
  readonly userOpHash: Hash
}

/** The context that all actors share. */
export interface Stage {
  readonly client: LoadClient
  readonly chains: ReturnType<typeof orderChains>
  /** Actors run while this returns true. */
  readonly isRunning: () => boolean
  /** Records each operation after it is signed and before the signature is sent. */
  readonly signed: (operation: SignedOperation) => void
}

/** The operation of a build response, computed from its fields alone. */
export function operationOf(
  userOp: WireUserOperation,
  network: number,
  entryPoint?: Address,
): SignedOperation {
  const result = fromWireUserOperation(userOp)
  if (!result.ok) throw new TypeError(result.message)
  const { operation } = result
  return {
    network,
    sender: operation.sender,
    userOpHash: getUserOperationHash(operation, { chainId: network, ...(entryPoint && { entryPoint }) }),
  }
}
