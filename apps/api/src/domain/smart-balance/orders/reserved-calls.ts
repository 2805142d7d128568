import type { Call } from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { OrderRow } from '@lanyard/database'
import { type CosignedWithdrawal, encodeOrderCalls } from '@lanyard/smart-balance'
import { type Address, getAddress, type Hex, isAddressEqual } from 'viem'
import { toNonce } from '../../operations/nonces.ts'
import type { FoundOrder } from './find-order.ts'

/**
 * The calls with which the operation of an order must begin: the withdrawal of the account's own deposit, if
 * any, then the claim, if any.
 */
export function reservedCalls({ order, debits }: FoundOrder, smartBalance: Address): Call[] {
  return encodeOrderCalls({
    smartBalance,
    order: { claimAmount: order.claim_amount, debits },
    nonce: toNonce({ key: order.nonce_key, sequence: order.nonce_sequence }),
    withdrawal: toWithdrawal(order),
  })
}

function toWithdrawal(order: OrderRow): CosignedWithdrawal | undefined {
  const { withdrawal_salt, withdrawal_deadline, withdrawal_signature } = order
  if (withdrawal_salt === null || withdrawal_deadline === null || withdrawal_signature === null) {
    return undefined
  }
  return {
    to: getAddress(order.account),
    amount: order.withdrawal_amount,
    fee: order.withdrawal_fee,
    salt: withdrawal_salt as Hex, // both columns hold hex
    deadline: withdrawal_deadline,
    signature: withdrawal_signature as Hex,
  }
}

const isSame = (a: Call, b: Call | undefined) =>
  b !== undefined &&
  isAddressEqual(a.to, b.to) &&
  a.value === b.value &&
  a.data.toLowerCase() === b.data.toLowerCase()

/** In a solution, a call that is not needed has `0x` as its data. SmartBalance refuses it. */
const isUnneeded = ({ to, data }: Call, smartBalance: Address) =>
  data === '0x' && isAddressEqual(to, smartBalance)

/**
 * Rejects a batch that does not begin with exactly the reserved calls. Otherwise the operator would lend for
 * an operation that never claims, or that withdraws the funds for the repayment. Also rejects the solution's
 * unneeded call: the simulation would only say that it reverts.
 *
 * @throws ORDER_MISMATCH naming the first call that differs
 */
export function requireReservedCalls(reserved: readonly Call[], calls: readonly Call[]): void {
  const differing = reserved.findIndex((call, index) => !isSame(call, calls[index]))
  const wrong =
    differing < 0 ? calls.findIndex((call) => reserved[0] && isUnneeded(call, reserved[0].to)) : differing
  if (wrong < 0) return
  throw new LanyardError('ORDER_MISMATCH', {
    message: `transactionDetails must begin with the calls of the solution: withdrawal, then claim, leaving out any that is "0x". Call ${wrong} differs.`,
    issues: [{ path: `transactionDetails.${wrong}`, message: 'The solution has no such call here.' }],
    details: { call: wrong },
  })
}
