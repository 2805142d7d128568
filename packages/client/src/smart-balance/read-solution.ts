import type { ExpectedOrder } from '@lanyard/smart-balance'
import { BuildVerificationError } from '../verification-error.ts'
import type { Solution } from './quote.ts'
import { readDecimal } from './read-decimal.ts'

/** The amounts of a solution, checked for consistency. */
export interface SolutionAmounts extends ExpectedOrder {
  /** The amount that arrives. */
  readonly amount: bigint
  /** amount + fee: the sum of all debits. */
  readonly total: bigint
}

/**
 * Reads the amounts of a solution. The withdrawal and the debits must add up to the total. The remaining fee
 * is paid from the account's deposit on the output network.
 *
 * @param at - the field that contains the solution, for errors
 * @throws BuildVerificationError naming the field
 */
export function readSolution(solution: Solution, outputNetwork: number, at: string): SolutionAmounts {
  if (solution.withdrawalPlan.network !== outputNetwork)
    throw new BuildVerificationError(`${at}.withdrawalPlan.network`, `expected ${outputNetwork}`)
  const withdrawn = readDecimal(solution.withdrawalPlan.amount, `${at}.withdrawalPlan.amount`)
  const claimAmount = readDecimal(solution.tokenToClaim.amount, `${at}.tokenToClaim.amount`)
  const fee = readDecimal(solution.fee, `${at}.fee`)
  const debits = readDebits(solution, outputNetwork, at)
  const owed = debits.reduce((sum, { amount }) => sum + amount, 0n)
  const withdrawalFee = claimAmount + fee - owed
  if (withdrawalFee < 0n)
    throw new BuildVerificationError(`${at}.debits`, 'they are more than the lent part and the fee')
  return {
    amount: withdrawn + claimAmount,
    fee,
    total: withdrawn + claimAmount + fee,
    withdrawal: { amount: withdrawn, fee: withdrawalFee },
    claimAmount,
    debits,
  }
}

function readDebits({ debits }: Solution, outputNetwork: number, at: string): ExpectedOrder['debits'] {
  let previous = 0
  return debits.map(({ network, amount }, index) => {
    const field = `${at}.debits.${index}`
    if (!Number.isSafeInteger(network) || network <= previous || network === outputNetwork)
      throw new BuildVerificationError(`${field}.network`, 'not ascending, or the output network itself')
    previous = network
    return { network, amount: readDecimal(amount, `${field}.amount`) }
  })
}
