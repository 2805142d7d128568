import type { Hash } from 'viem'
import { outcomes } from '../attestation/outcome.ts'

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
