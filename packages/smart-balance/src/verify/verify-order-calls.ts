import type { Call } from '@lanyard/accounts'
import { smartBalanceAbi } from '@lanyard/onchain'
import { type Address, decodeFunctionData, isAddressEqual } from 'viem'
import { encodeClaim } from '../calls/encode-claim.ts'
import { type CosignedWithdrawal, encodeWithdraw } from '../calls/encode-withdraw.ts'
import { isSponsorship } from '../order/is-sponsorship.ts'
import type { ExpectedOrder } from './expected-order.ts'

export interface VerifyOrderCallsParameters {
  /** The account whose deposit is withdrawn, and the recipient. */
  readonly account: Address
  /** The whole nonce of the operation. */
  readonly nonce: bigint
  readonly smartBalance: Address
  readonly expected: Omit<ExpectedOrder, 'fee'>
  /** Unix seconds: the withdrawal's deadline must not be earlier. */
  readonly neededUntil: number
}

export type VerifyOrderCallsResult =
  | {
      readonly ok: true
      readonly withdrawal: CosignedWithdrawal | undefined
      /** The calls after the order's own calls. */
      readonly calls: readonly Call[]
    }
  | { readonly ok: false; readonly field: 'withdrawal' | 'claim'; readonly message: string }

/**
 * Checks that calls begin with exactly those that an order needs: the withdrawal to the account itself if its
 * own deposit is used, and the claim with the operation's nonce unless the order is a sponsorship.
 */
export function verifyOrderCalls(
  calls: readonly Call[],
  parameters: VerifyOrderCallsParameters,
): VerifyOrderCallsResult {
  const { expected, smartBalance, nonce } = parameters
  const rest = [...calls]
  let withdrawal: CosignedWithdrawal | undefined
  if (expected.withdrawal.amount + expected.withdrawal.fee > 0n) {
    withdrawal = readWithdrawal(rest.shift(), smartBalance)
    const wrong = withdrawal
      ? withdrawalProblem(withdrawal, parameters)
      : 'The calls do not begin with the withdrawal.'
    if (wrong !== undefined || withdrawal === undefined)
      return { ok: false, field: 'withdrawal', message: wrong ?? 'There is no withdrawal.' }
  }
  if (!isSponsorship(expected) && !isSameCall(rest.shift(), encodeClaim(smartBalance, nonce)))
    return { ok: false, field: 'claim', message: `The calls do not claim with the nonce ${nonce}.` }
  return { ok: true, withdrawal, calls: rest }
}

function withdrawalProblem(
  withdrawal: CosignedWithdrawal,
  { account, expected, neededUntil }: VerifyOrderCallsParameters,
): string | undefined {
  const { amount, fee } = expected.withdrawal
  if (!isAddressEqual(withdrawal.to, account)) return `The withdrawal goes to ${withdrawal.to}.`
  if (withdrawal.amount !== amount) return `The withdrawal is ${withdrawal.amount} instead of ${amount}.`
  if (withdrawal.fee !== fee) return `The withdrawal's fee is ${withdrawal.fee} instead of ${fee}.`
  return withdrawal.deadline < neededUntil
    ? `The withdrawal can be used until ${withdrawal.deadline}, not until ${neededUntil}.`
    : undefined
}

/** Undefined unless it is, byte for byte, a call of `withdraw`. */
function readWithdrawal(call: Call | undefined, smartBalance: Address): CosignedWithdrawal | undefined {
  if (call === undefined) return undefined
  try {
    const { functionName, args } = decodeFunctionData({ abi: smartBalanceAbi, data: call.data })
    if (functionName !== 'withdraw') return undefined
    const [to, amount, fee, salt, deadline, signature] = args
    const withdrawal = { to, amount, fee, salt, deadline, signature }
    return isSameCall(call, encodeWithdraw(smartBalance, withdrawal)) ? withdrawal : undefined
  } catch {
    return undefined // viem throws on an unknown selector, and on arguments that do not decode
  }
}

function isSameCall(call: Call | undefined, other: Call): boolean {
  return (
    call !== undefined &&
    isAddressEqual(call.to, other.to) &&
    call.value === other.value &&
    call.data.toLowerCase() === other.data.toLowerCase()
  )
}
