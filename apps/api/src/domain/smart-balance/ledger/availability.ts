import type { Hex } from 'viem'
import type { Holding } from './holdings.ts'
import type { LedgerEntry } from './read-ledger.ts'

/** What binds a deposit. 6 decimals. */
export interface Availability {
  /** For orders on other networks, which debit it. */
  readonly asSource: bigint
  /** For an order on this very network, which withdraws it. */
  readonly asOwn: bigint
  /** Held by open orders and co-signatures. */
  readonly reserved: bigint
}

/**
 * What an account's deposit on a network still allows.
 *
 * Whatever exits is left out, although an order of today would be settled before an exit of today ripens: simpler, and
 * on the safe side. A co-signature that was given away counts until a final block shows it used or lapsed, whatever
 * became of its order: the account can use it at any time, and a debit would then find nothing. An order on this very
 * network withdraws in the same transaction in which it claims, or not at all: for it, only withdrawals count that
 * are on their way.
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

/** Orders with one nonce compete: at most one of their operations is ever included, so the largest debit counts. */
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

/** Whether a signer is pinned on a network, without which a deposit there can be debited for nobody. */
export const isPinned = ({ pinnedSigners }: Pick<LedgerEntry, 'pinnedSigners'>, signer: Hex): boolean =>
  pinnedSigners.includes(signer)

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
const largest = (debits: readonly { readonly amount: bigint }[]) =>
  debits.reduce((most, { amount }) => (amount > most ? amount : most), 0n)
const positive = (amount: bigint) => (amount > 0n ? amount : 0n)
