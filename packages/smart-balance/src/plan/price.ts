import { maxDebits } from '../constants.ts'
import { SmartBalanceError } from '../errors.ts'
import type { AvailableDeposit, PlanInput, Terms } from './plan.ts'

/** A deposit on another network, and the cost of taking from it. */
interface Source extends AvailableDeposit {
  readonly settlementFee: bigint
}

/** The deposits that a plan can use. */
export interface Funds {
  /** The account's own deposit on the output network. */
  readonly own: bigint
  /** Largest first, ties by ascending chain id. Each is worth more than its settlement costs. */
  readonly sources: readonly Source[]
  /**
   * In the same order. Their settlement costs at least as much as they are worth, so they are used only to
   * debit everything.
   */
  readonly dust: readonly Source[]
}

/**
 * Sorts the deposits. The result does not depend on their order.
 *
 * @throws SmartBalanceError DUPLICATE if a network occurs twice.
 */
export function fundsOf({ deposits, outputNetwork, terms }: PlanInput): Funds {
  if (new Set(deposits.map(({ network }) => network)).size !== deposits.length)
    throw new SmartBalanceError('DUPLICATE', 'A network occurs twice among the deposits.')
  const elsewhere = deposits
    .flatMap((deposit): Source[] => {
      const settlementFee = terms.settlementFees[deposit.network]
      const isSource = deposit.network !== outputNetwork && deposit.available > 0n
      return isSource && settlementFee !== undefined ? [{ ...deposit, settlementFee }] : []
    })
    .toSorted((a, b) => compare(b.available, a.available) || a.network - b.network)
  const sources = elsewhere.filter((source) => source.available > source.settlementFee).slice(0, maxDebits)
  const own = deposits.find(({ network }) => network === outputNetwork)?.available ?? 0n
  return {
    own: own > 0n ? own : 0n,
    sources,
    dust: elsewhere
      .filter((source) => source.available <= source.settlementFee)
      .slice(0, maxDebits - sources.length),
  }
}

/** The total that can be debited. */
export function everything({ own, sources, dust }: Funds): bigint {
  return [...sources, ...dust].reduce((sum, { available }) => sum + available, own)
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * The fee for letting `amount` arrive: basis points of the lent part, rounded up, plus the operation fee,
 * plus one settlement fee for each network that is debited. The number of networks is the smallest for which
 * the deposits, including the one on the output network, pay for everything.
 *
 * @returns undefined if the deposits do not suffice.
 */
export function feeOf(amount: bigint, { own, sources }: Funds, terms: Terms): bigint | undefined {
  const lent = amount > own ? amount - own : 0n
  let fee = divideUp(lent * BigInt(terms.basisPoints), 10_000n) + terms.operationFee
  let reach = own
  if (amount + fee <= reach) return fee
  for (const { available, settlementFee } of sources) {
    fee += settlementFee
    reach += available
    if (amount + fee <= reach) return fee
  }
  return undefined
}

/** `amount + feeOf(amount)`. */
export function totalOf(amount: bigint, funds: Funds, terms: Terms): bigint | undefined {
  const fee = feeOf(amount, funds, terms)
  return fee === undefined ? undefined : amount + fee
}

/**
 * The largest amount whose total is at most `total`; 0 for none. The total jumps when another network is
 * needed, but increases strictly with the amount. If an amount cannot be paid, larger ones cannot either,
 * because every source is worth more than its settlement costs.
 */
export function amountWithin(total: bigint, funds: Funds, terms: Terms): bigint {
  let fits = 0n
  let exceeds = (total > 0n ? total : 0n) + 1n
  while (exceeds - fits > 1n) {
    const middle = (fits + exceeds) / 2n
    const price = totalOf(middle, funds, terms)
    if (price !== undefined && price <= total) fits = middle
    else exceeds = middle
  }
  return fits
}

/** The largest amount that the deposits can pay and the operator can lend; 0 for none. */
export function largestAmount(funds: Funds, lendable: bigint, terms: Terms): bigint {
  const payable = amountWithin(everything(funds), funds, terms)
  const available = funds.own + lendable
  return payable < available ? payable : available
}

/** The largest total that an AMOUNT_IN can request; 0 for none. */
export function largestTotal(funds: Funds, lendable: bigint, terms: Terms): bigint {
  const all = everything(funds)
  const tooMuch = totalOf(funds.own + lendable + 1n, funds, terms)
  const largest = tooMuch === undefined || tooMuch > all ? all : tooMuch - 1n
  return amountWithin(largest, funds, terms) === 0n ? 0n : largest
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor
}
