import { everything, type Funds } from './funds.ts'
import type { Terms } from './plan.ts'

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
