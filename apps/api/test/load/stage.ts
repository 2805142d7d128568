import { fromWireUserOperation, getUserOperationHash, type WireUserOperation } from '@lanyard/accounts'
import type { Address, Hash } from 'viem'
import type { orderChains } from '../orders/order-chains.ts'
import type { LoadClient } from './client.ts'

/** Where accounts act, and where the deposits of orders are. */
export const outputNetwork = 31338
export const sourceNetwork = 31337

/** An operation that somebody signed: it must be on the chain once. */
export interface SignedOperation {
  readonly network: number
  readonly sender: Address
  readonly userOpHash: Hash
}

/** What every actor acts on. */
export interface Stage {
  readonly client: LoadClient
  readonly chains: ReturnType<typeof orderChains>
  /** Actors go on while it is true. */
  readonly goesOn: () => boolean
  /** Every signature is told here before it is sent. */
  readonly signed: (operation: SignedOperation) => void
}

/** The operation that build answered, computed from its fields alone. */
export function operationOf(userOp: WireUserOperation, network: number): SignedOperation {
  const result = fromWireUserOperation(userOp)
  if (!result.ok) throw new TypeError(result.message)
  const { operation } = result
  return {
    network,
    sender: operation.sender,
    userOpHash: getUserOperationHash(operation, { chainId: network }),
  }
}
