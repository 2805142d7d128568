import type { SignedUserOperation } from '@lanyard/accounts'
import { smartBalanceAbi } from '@lanyard/onchain'
import { encodeFunctionData, type Hash, type Hex } from 'viem'
import { type Outcome, outcomes } from './attestation.ts'
import { type PackedOperation, packOperation } from './order/order-hash.ts'

/** `SignedOperation` of Settlement.sol. */
export interface SettledOperation {
  readonly operation: PackedOperation
  readonly paymasterAndData: Hex
  readonly signature: Hex
}

/**
 * A signed operation in the form that a source network's settlement takes.
 *
 * @throws SmartBalanceError OUT_OF_RANGE for a number that does not fit its field.
 */
export function toSettledOperation(operation: SignedUserOperation): SettledOperation {
  return {
    operation: packOperation(operation),
    paymasterAndData: operation.paymasterAndData,
    signature: operation.signature,
  }
}

/** `Settling` of Settlement.sol: one order to settle. */
export interface Settling {
  /** The output network. */
  readonly chainId: number
  readonly signed: SettledOperation
  readonly outcome: Outcome
  /** The result of `packAttestations`. */
  readonly proof: Hex
}

/**
 * The call data of `settleBatch`, for the settler's own account. The contract skips orders with nothing to
 * settle.
 */
export function encodeSettleBatch(settlings: readonly Settling[]): Hex {
  return encodeFunctionData({
    abi: smartBalanceAbi,
    functionName: 'settleBatch',
    args: [settlings.map(toArgument)],
  })
}

function toArgument({ chainId, signed, outcome, proof }: Settling) {
  return { chainId: BigInt(chainId), signed, outcome: outcomes[outcome], proof }
}

/** SmartBalance's record of one order. */
export interface OrderRecord {
  /** undefined: no outcome yet. */
  readonly outcome: Exclude<keyof typeof outcomes, 'none'> | undefined
  /** The amount that a source network has taken so far, 6-decimal units; 0 on the output network. */
  readonly amount: bigint
}

const nothing: OrderRecord = { outcome: undefined, amount: 0n }

/**
 * Reads an order's record from the result of `settled(account, chainId, nonce)`. SmartBalance has one record
 * for each nonce, with the lower 120 bits of the hash of the order that was used. Other orders with the same
 * nonce have no record.
 *
 * @param settled - the decoded result in viem: outcome, amount, order
 */
export function readOrderRecord(settled: readonly [number, bigint, bigint], orderHash: Hash): OrderRecord {
  const [value, amount, order] = settled
  if (order !== BigInt.asUintN(120, BigInt(orderHash))) return nothing
  const outcome = names[value]
  return outcome === undefined ? nothing : { outcome, amount }
}

const names: Readonly<Record<number, OrderRecord['outcome']>> = {
  [outcomes.claimed]: 'claimed',
  [outcomes.failed]: 'failed',
  [outcomes.unfunded]: 'unfunded',
}
