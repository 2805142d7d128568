import { formatAmount } from '../amounts/format-amount.ts'
import { shortAddress } from '../ui/short-address.ts'
import type { CallDescription } from './describe-call.ts'

const verbs = {
  past: { transfer: 'Sent', approve: 'Allowed', add: 'Added', remove: 'Removed', made: 'Created' },
  future: { transfer: 'Send', approve: 'Allow', add: 'Add', remove: 'Remove', made: 'Create' },
} as const

/**
 * A call in words.
 *
 * @param tense `future` before it is signed, `past` in the activity.
 */
function summarizeCall(call: CallDescription, tense: keyof typeof verbs): string {
  const verb = verbs[tense]
  switch (call.kind) {
    case 'transfer':
      return `${verb.transfer} ${formatAmount(call.amount, call.currency.decimals)} ${call.currency.symbol} to ${shortAddress(call.to)}`
    case 'approve':
      return `${verb.approve} ${shortAddress(call.spender)} to spend ${formatAmount(call.amount, call.currency.decimals)} ${call.currency.symbol}`
    case 'add-owner':
      return `${verb.add} owner ${shortAddress(call.owner)}`
    case 'remove-owner':
      return `${verb.remove} owner ${shortAddress(call.owner)}`
    case 'create-signer':
      return `${verb.made} a passkey’s signer`
    case 'contract':
      return `Contract call to ${shortAddress(call.to)}`
  }
}

/** Several calls of one operation as one line; an operation without calls deploys the account. */
export function summarizeCalls(calls: readonly CallDescription[], tense: keyof typeof verbs): string {
  const [first, ...rest] = calls
  if (!first) return tense === 'past' ? 'Deployed the account' : 'Deploy the account'
  if (rest.length === 0) return summarizeCall(first, tense)
  const owner = calls.find(({ kind }) => kind === 'add-owner' || kind === 'remove-owner')
  if (owner) return summarizeCall(owner, tense)
  return `${summarizeCall(first, tense)} and ${rest.length} more`
}
