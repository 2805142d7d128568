import type { CallDescription, Currency } from '@lanyard/calls'
import { usesOrder } from '@lanyard/calls'
import { type Address, isAddressEqual } from 'viem'

/** Money that an operation moves to one recipient. */
export interface Payment {
  readonly to: Address
  readonly amount: bigint
  readonly currency: Currency
}

/** What an operation pays, in its order. Several payments of one currency to one recipient are one. */
export function paymentsOf(calls: readonly CallDescription[], account: Address): readonly Payment[] {
  const payments: Payment[] = []
  for (const call of calls) {
    const paid = paymentOf(call, account)
    if (!paid) continue
    const index = payments.findIndex(
      ({ to, currency }) => isAddressEqual(to, paid.to) && currency.symbol === paid.currency.symbol,
    )
    const before = payments[index]
    if (before) payments[index] = { ...before, amount: before.amount + paid.amount }
    else payments.push(paid)
  }
  return payments
}

function paymentOf(call: CallDescription, account: Address): Payment | undefined {
  if (call.kind === 'transfer') return { to: call.to, amount: call.amount, currency: call.currency }
  // What an order withdraws to the account pays for the other calls.
  if (call.kind === 'withdraw' && !usesOrder(call, { account }))
    return { to: call.to, amount: call.amount, currency: call.unit }
  return undefined
}

/** The sum of payments in one currency. Undefined if there are none, or several currencies. */
export function sumOf(payments: readonly Payment[]): Omit<Payment, 'to'> | undefined {
  const [first] = payments
  if (!first || payments.some(({ currency }) => currency.symbol !== first.currency.symbol)) return undefined
  return { amount: payments.reduce((sum, { amount }) => sum + amount, 0n), currency: first.currency }
}
