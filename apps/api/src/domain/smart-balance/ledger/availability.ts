import type { Hex } from 'viem'
import type { Holding } from './holdings.ts'
import type { LedgerEntry } from './read-ledger.ts'

/** The available amounts of a deposit. 6 decimals. */
export interface Availability {
  /** For orders on other networks, which debit the deposit. */
  readonly asSource: bigint
  /** For an order on the same network, which withdraws the deposit. */
  readonly asOwn: bigint
  /** Held by open orders and co-signatures. */
  readonly reserved: bigint
}

/**
 * The amounts that an account's deposit on a network still allows.
 *
 * Exiting funds are left out, although an order would be settled before an exit of the same day can be
 * finalized: this is simpler and safe. A co-signature that was handed out counts until a final block shows it
 * used or lapsed, regardless of its order's outcome: the account can use it at any time, and a debit would
 * then find no funds. An order on the same network withdraws in the transaction in which it claims, or not at
 * all: for it, only pending withdrawals count.
 */
export function availabilityOf(
  { network, balance, exiting }: Pick<LedgerEntry, 'network' | 'balance' | 'exiting'>,
  holdings: readonly Holding[],
): Availability {
  const debits = debitsOn(network, holdings)
  const cosigned = sum(cosignedOn(network, holdings))
  const underWay = sum(cosignedOn(network, holdings.filter(isUnderWay)))
  const free = balance - exiting - debits
  return {
    asSource: positive(free - cosigned),
    asOwn: positive(free - underWay),
    reserved: debits + cosigned,
  }
}

/**
 * Orders with the same nonce compete: at most one of their operations is ever included, so the largest debit
 * counts.
 */
function debitsOn(network: number, holdings: readonly Holding[]): bigint {
  const competitors = Map.groupBy(
    holdings.filter(({ held }) => held),
    ({ output_network, nonce_key, nonce_sequence }) => `${output_network}:${nonce_key}:${nonce_sequence}`,
  )
  return sum(
    [...competitors.values()].map((orders) =>
      largest(orders.flatMap(({ debits }) => debits.filter((debit) => debit.network === network))),
    ),
  )
}

const cosignedOn = (network: number, holdings: readonly Holding[]) =>
  holdings.filter(({ output_network }) => output_network === network).map(({ cosigned }) => cosigned)

const isUnderWay = ({ state }: Holding) =>
  state === 'SUBMITTED' || state === 'CLAIMED' || state === 'ATTESTED' || state === 'SETTLED'

/** Whether a signer is pinned on a network. Without a pin, its orders cannot debit the deposit there. */
export const isPinned = ({ pinnedSigners }: Pick<LedgerEntry, 'pinnedSigners'>, signer: Hex): boolean =>
  pinnedSigners.includes(signer)

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
const largest = (debits: readonly { readonly amount: bigint }[]) =>
  debits.reduce((limit, { amount }) => (amount > limit ? amount : limit), 0n)
const positive = (amount: bigint) => (amount > 0n ? amount : 0n)
