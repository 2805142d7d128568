import { maxDebits } from '../constants.ts'
import { SmartBalanceError } from '../errors.ts'
import type { AvailableDeposit, PlanInput } from './plan.ts'

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
