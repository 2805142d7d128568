import type { OrderRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import { maxValidity } from '@lanyard/smart-balance'
import { orderExpired } from './require-usable.ts'

/** Unix seconds by the chain's clock, which judges validity. */
export interface ChainValidity {
  /** Of the newest block. */
  readonly head: number
  /** Its number. */
  readonly block: number
  /** The last second for an operation that is built now. */
  readonly latest: number
}

/**
 * Seconds by which an order ends before the contract's bound. `claim` measures from the block that includes it; the
 * bundler may simulate at a node that is some blocks behind the one asked here.
 */
const blocksBehind = 15

/** Seconds that must be left to sign, submit and include. */
const shortest = 60

/** @throws NETWORK_UNAVAILABLE, NETWORK_FAILED */
export async function readChainValidity(network: Network): Promise<ChainValidity> {
  const { timestamp, number } = await network.call((client) => client.getBlock())
  const head = Number(timestamp)
  return { head, block: Number(number), latest: head + maxValidity - blocksBehind }
}

/** Unix seconds: the end that the first build has set. */
export const reservedUntil = ({ expires_at }: OrderRow): number => Math.floor(expires_at.getTime() / 1000)

/**
 * `validUntil` of an operation of an order. The first that the operator signs extends the reservation to it; no
 * later one does, or a balance could be held forever by building again and again.
 *
 * @returns Unix seconds
 * @throws ORDER_EXPIRED when too little is left
 */
export function orderValidity(order: OrderRow, signed: boolean, { head, latest }: ChainValidity): number {
  const validUntil = Math.min(
    latest,
    signed ? reservedUntil(order) : latest,
    order.withdrawal_deadline ?? latest,
  )
  if (validUntil - head < shortest) throw orderExpired(order)
  return validUntil
}
