import { type Address, isAddressEqual } from 'viem'
import type { Currency } from '../amounts/currency.ts'
import { formatAmount } from '../amounts/format-amount.ts'
import { shortKey } from '../sessions/key-id.ts'
import { shortAddress } from '../ui/short-address.ts'
import { type CallContext, type CallDescription, describeCall } from './describe-call.ts'

const verbs = {
  past: {
    transfer: 'Sent',
    approve: 'Allowed',
    add: 'Added',
    remove: 'Removed',
    made: 'Created',
    deposit: 'Deposited',
    move: 'Moved',
    start: 'Started',
    cancel: 'Cancelled',
    finish: 'Finished',
    grant: 'Granted',
    revoke: 'Revoked',
  },
  future: {
    transfer: 'Send',
    approve: 'Allow',
    add: 'Add',
    remove: 'Remove',
    made: 'Create',
    deposit: 'Deposit',
    move: 'Move',
    start: 'Start',
    cancel: 'Cancel',
    finish: 'Finish',
    grant: 'Grant',
    revoke: 'Revoke',
  },
} as const

/** `future` before signing, `past` in the activity list. */
type Tense = keyof typeof verbs

function summarizeCall(call: CallDescription, tense: Tense, context: CallContext): string {
  const verb = verbs[tense]
  const party = (address: Address) => partyText(address, context)
  switch (call.kind) {
    case 'transfer':
      return `${verb.transfer} ${amountText(call.amount, call.currency)} to ${party(call.to)}`
    case 'approve':
      return `${verb.approve} ${party(call.spender)} to spend ${amountText(call.amount, call.currency)}`
    case 'add-owner':
      return `${verb.add} owner ${party(call.owner)}`
    case 'remove-owner':
      return `${verb.remove} owner ${party(call.owner)}`
    case 'create-signer':
      return `${verb.made} a passkey’s signer`
    case 'deposit':
      return call.beneficiary
        ? `${verb.deposit} ${amountText(call.amount, call.unit)} for ${party(call.beneficiary)}`
        : `${verb.deposit} ${amountText(call.amount, call.unit)} into the combined balance`
    case 'withdraw':
      return `${verb.move} ${amountText(call.amount, call.unit)} out of the combined balance to ${party(call.to)}`
    case 'claim':
      return `${verb.move} money out of the combined balance`
    case 'add-signer':
      return `${verb.add} a key that may spend the combined balance`
    case 'remove-signer':
      return `${verb.remove} a key that may spend the combined balance`
    case 'request-exit':
      return `${verb.start} taking ${amountText(call.amount, call.unit)} out of the combined balance`
    case 'cancel-exit':
      return `${verb.cancel} taking money out of the combined balance`
    case 'finalize-exit':
      return `${verb.finish} taking money out of the combined balance to ${party(call.to)}`
    case 'grant-session':
      return `${verb.grant} session key ${shortKey(call.keyId)}`
    case 'revoke-session':
      return `${verb.revoke} session key ${shortKey(call.keyId)}`
    case 'act-in-session':
      return `Session key: ${summarizeCalls(
        call.calls.map((inner) => describeCall(inner, context)),
        tense,
        context,
      )}`
    case 'install-sessions':
      return `${verb.add} the session keys contract`
    case 'remove-sessions':
      return `${verb.remove} the session keys contract`
    case 'contract':
      return `Contract call to ${party(call.to)}`
  }
}

/** A short address, with the person's name for it. */
function partyText(address: Address, { names }: CallContext): string {
  const name = names?.get(address.toLowerCase())
  return name ? `${name} (${shortAddress(address)})` : shortAddress(address)
}

const amountText = (amount: bigint, { decimals, symbol }: Currency) =>
  `${formatAmount(amount, decimals)} ${symbol}`

/**
 * Summarizes an operation's calls in one line. An operation without calls deploys the account. Calls that
 * only serve another call of the same operation are left out; the recipient of each amount is always named.
 */
export function summarizeCalls(
  calls: readonly CallDescription[],
  tense: Tense,
  context: CallContext,
): string {
  if (calls.length === 0) return tense === 'past' ? 'Deployed the account' : 'Deploy the account'
  const owner = calls.find(({ kind }) => kind === 'add-owner' || kind === 'remove-owner')
  if (owner) return summarizeCall(owner, tense, context)
  const meant = calls.filter((call) => !serves(call, context))
  const [first, ...rest] = meant
  // Only serving calls are left: an order that leaves the money in the account has a claim, and perhaps a
  // withdrawal before it.
  const only = calls.find(({ kind }) => kind === 'claim') ?? calls[0]
  if (!first) return only ? summarizeCall(only, tense, context) : ''
  const combined = first.kind !== 'withdraw' && calls.some((call) => usesOrder(call, context))
  const more = rest.length > 0 ? ` and ${rest.length} more` : ''
  return `${summarizeCall(first, tense, context)}${more}${combined ? ' from the combined balance' : ''}`
}

/** Whether an order needs this call: the account receives what its deposits pay for. */
export const usesOrder = (call: CallDescription, { account }: Pick<CallContext, 'account'>) =>
  call.kind === 'claim' || (call.kind === 'withdraw' && isAddressEqual(call.to, account))

/** Whether a call only serves another: an order's own calls, an allowance for a deposit, or a pin. */
export function serves(
  call: CallDescription,
  context: Pick<CallContext, 'account' | 'smartBalance'>,
): boolean {
  switch (call.kind) {
    case 'add-signer':
    case 'remove-signer':
    case 'create-signer':
    case 'install-sessions':
    case 'remove-sessions':
      return true
    case 'approve':
      return context.smartBalance !== undefined && isAddressEqual(call.spender, context.smartBalance.address)
    default:
      return usesOrder(call, context)
  }
}
