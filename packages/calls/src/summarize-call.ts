import { formatAmount, shortAddress } from '@lanyard/ui'
import { type Address, isAddressEqual } from 'viem'
import type { Currency } from './currency.ts'
import { type CallContext, type CallDescription, describeCall } from './describe-call.ts'
import { shortKey } from './describe-session-call.ts'
import { t } from './texts.ts'

/** `future` before signing, `past` in the activity list. */
type Tense = 'past' | 'future'

function summarizeCall(call: CallDescription, tense: Tense, context: CallContext): string {
  const past = tense === 'past'
  const party = (address: Address) => partyText(address, context)
  switch (call.kind) {
    case 'transfer':
      return t(past ? 'Sent {amount} to {party}' : 'Send {amount} to {party}', {
        amount: amountText(call.amount, call.currency),
        party: party(call.to),
      })
    case 'approve':
      return t(past ? 'Allowed {party} to spend {amount}' : 'Allow {party} to spend {amount}', {
        party: party(call.spender),
        amount: amountText(call.amount, call.currency),
      })
    case 'add-owner':
      return t(past ? 'Added owner {party}' : 'Add owner {party}', { party: party(call.owner) })
    case 'remove-owner':
      return t(past ? 'Removed owner {party}' : 'Remove owner {party}', { party: party(call.owner) })
    case 'create-signer':
      return t(past ? 'Created a passkey’s signer' : 'Create a passkey’s signer')
    case 'deposit': {
      const amount = amountText(call.amount, call.unit)
      return call.beneficiary
        ? t(past ? 'Deposited {amount} for {party}' : 'Deposit {amount} for {party}', {
            amount,
            party: party(call.beneficiary),
          })
        : t(
            past
              ? 'Deposited {amount} into the combined balance'
              : 'Deposit {amount} into the combined balance',
            { amount },
          )
    }
    case 'withdraw':
      return t(
        past
          ? 'Moved {amount} out of the combined balance to {party}'
          : 'Move {amount} out of the combined balance to {party}',
        { amount: amountText(call.amount, call.unit), party: party(call.to) },
      )
    case 'claim':
      return t(past ? 'Moved money out of the combined balance' : 'Move money out of the combined balance')
    case 'add-signer':
      return t(
        past
          ? 'Added a key that may spend the combined balance'
          : 'Add a key that may spend the combined balance',
      )
    case 'remove-signer':
      return t(
        past
          ? 'Removed a key that may spend the combined balance'
          : 'Remove a key that may spend the combined balance',
      )
    case 'request-exit':
      return t(
        past
          ? 'Started taking {amount} out of the combined balance'
          : 'Start taking {amount} out of the combined balance',
        { amount: amountText(call.amount, call.unit) },
      )
    case 'cancel-exit':
      return t(
        past
          ? 'Cancelled taking money out of the combined balance'
          : 'Cancel taking money out of the combined balance',
      )
    case 'finalize-exit':
      return t(
        past
          ? 'Finished taking money out of the combined balance to {party}'
          : 'Finish taking money out of the combined balance to {party}',
        { party: party(call.to) },
      )
    case 'grant-session':
      return t(past ? 'Granted session key {key}' : 'Grant session key {key}', { key: shortKey(call.keyId) })
    case 'revoke-session':
      return t(past ? 'Revoked session key {key}' : 'Revoke session key {key}', { key: shortKey(call.keyId) })
    case 'end-sessions':
      return t(past ? 'Ended all session keys' : 'End all session keys')
    case 'act-in-session':
      return t('Session key: {summary}', {
        summary: summarizeCalls(
          call.calls.map((inner) => describeCall(inner, context)),
          tense,
          context,
        ),
      })
    case 'install-sessions':
      return t(past ? 'Added the session keys contract' : 'Add the session keys contract')
    case 'remove-sessions':
      return t(past ? 'Removed the session keys contract' : 'Remove the session keys contract')
    case 'enable-guardians':
      return t(past ? 'Turned guardians on' : 'Turn guardians on')
    case 'remove-module':
      return t(past ? 'Removed module {party}' : 'Remove module {party}', { party: party(call.module) })
    case 'remove-guard':
      return t(past ? 'Removed the guard' : 'Remove the guard')
    case 'reset-handler':
      return t(past ? 'Restored the fallback handler' : 'Restore the fallback handler')
    case 'contract':
      return t('Contract call to {party}', { party: party(call.to) })
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
  if (calls.length === 0) return t(tense === 'past' ? 'Deployed the account' : 'Deploy the account')
  const owner = calls.find(({ kind }) => kind === 'add-owner' || kind === 'remove-owner')
  if (owner) return summarizeCall(owner, tense, context)
  const meant = calls.filter((call) => !serves(call, context))
  const [first, ...rest] = meant
  // Only serving calls are left: an order that leaves the money in the account has a claim, and perhaps a
  // withdrawal before it.
  const only = calls.find(({ kind }) => kind === 'claim') ?? calls[0]
  if (!first) return only ? summarizeCall(only, tense, context) : ''
  const combined = first.kind !== 'withdraw' && calls.some((call) => usesOrder(call, context))
  const call = summarizeCall(first, tense, context)
  const summary = rest.length > 0 ? t('{call} and {count} more', { call, count: rest.length }) : call
  return combined ? t('{summary} from the combined balance', { summary }) : summary
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
