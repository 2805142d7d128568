import type { Currency } from '@lanyard/calls'
import { callContext, smartBalanceDecimals, summarizeCalls, usesOrder } from '@lanyard/calls'
import { formatAmount, locale, regionalLocale, shortAddress } from '@lanyard/ui'
import { type Address, getAddress, isAddressEqual, zeroAddress } from 'viem'
import { formatShortAmount } from '../../amounts/amounts.ts'
import { t } from '../../i18n/t.ts'
import { nameNetworks } from '../../networks/name-networks.ts'
import type { Network } from '../../networks/use-networks.ts'
import { changeOf, describeAct } from './describe-act.ts'
import { stateOf } from './operation-state.ts'
import { sumOf } from './payments-of.ts'
import type { OperationEntry, ReceiptEntry, TimelineEntry } from './timeline.ts'

/** How far an entry is, in the words of what it does: only a payment is paid. */
export function stateText({ state, mark }: Pick<RowView, 'state' | 'mark'>): string {
  const isPayment = mark === 'party'
  if (state === 'pending') return isPayment ? t('Paying…') : t('Pending')
  if (state === 'expired') return t('Expired')
  if (state === 'failed') return isPayment ? t('Not paid') : t('Failed')
  return isPayment ? t('Paid') : t('Done')
}

/** An entry as a row of two lines and an amount shows it. */
export interface RowView {
  readonly id: string
  /** Who, or what. */
  readonly title: string
  /** A person or contract by the first letter of `title`, or what the account did itself. */
  readonly mark: 'party' | 'protection' | 'owners' | 'sessions' | 'deposit' | 'other'
  readonly where: string
  /** Undefined if the time is unknown. */
  readonly at: string | undefined
  /** `expired`: nobody sent it in time, and nothing moved. */
  readonly state: 'pending' | 'failed' | 'expired' | 'done'
  /** Absent where no amount moved. */
  readonly amount?: {
    readonly text: string
    readonly symbol: string
    readonly direction: 'in' | 'out' | 'none'
  }
  /** What is not complete, or came with it. */
  readonly note?: string | undefined
  /** The whole row as a sentence, for screen readers. */
  readonly sentence: string
}

interface Context {
  readonly account: Address
  readonly networks: readonly Network[]
  /** Lower-case address → name. */
  readonly names: ReadonlyMap<string, string>
}

export function rowView(entry: TimelineEntry, context: Context): RowView {
  if (entry.kind === 'operation') return operationView(entry, context)
  if (entry.kind === 'receipt') return receiptView(entry, context)
  const { act, at, id } = entry
  const sentence = describeAct(act, context.names)
  return {
    ...{ id, at, sentence, title: sentence, mark: 'protection', state: 'done' },
    where: nameNetworks(act.networks, context.networks),
    note:
      act.waiting.length > 0
        ? t('Not on {networks}', { networks: nameNetworks(act.waiting, context.networks) })
        : act.endsRecovery && changeOf(act)?.kind !== 'cancel'
          ? t('It ended the recovery.')
          : undefined,
  }
}

const amountOf = (
  amount: bigint,
  { decimals, symbol, token }: Currency,
  direction: 'in' | 'out' | 'none',
): NonNullable<RowView['amount']> => {
  // The combined balance counts in units of its token, which have no contract.
  const isMoney = token !== undefined || decimals === smartBalanceDecimals
  const text = formatShortAmount(amount, decimals, isMoney ? { places: 2, fixed: 2 } : {})
  return { text: `${{ in: '+', out: '−', none: '' }[direction]}${text}`, symbol, direction }
}

function operationView(
  { operation, network, calls, payments, topics, at }: OperationEntry,
  { account, names }: Context,
): RowView {
  const context = callContext(account, network, names)
  const { done, tone } = stateOf(operation)
  const sentence = summarizeCalls(calls, done ? 'past' : 'future', context)
  const where = network?.name ?? t('Network {network}', { network: operation.network })
  const state = ({ waiting: 'pending', good: 'done', bad: 'failed', neutral: 'expired' } as const)[tone]
  const shared = { id: operation.userOpHash, at, where, state, sentence } as const
  const [first, ...others] = [...new Set(payments.map(({ to }) => to.toLowerCase()))]
  if (first !== undefined) {
    const name = names.get(first) ?? shortAddress(getAddress(first))
    const sum = sumOf(payments)
    return {
      ...shared,
      title: others.length > 0 ? t('{name} and {count} more', { name, count: others.length }) : name,
      mark: topics.includes('sessions') ? 'sessions' : 'party',
      ...(sum && { amount: amountOf(sum.amount, sum.currency, 'out') }),
    }
  }
  if (calls.length > 0 && calls.every((call) => usesOrder(call, context)))
    return { ...shared, title: t('To your account'), mark: 'deposit' }
  const deposit = calls.find((call) => call.kind === 'deposit')
  if (deposit)
    return {
      ...shared,
      title: t('Deposited'),
      mark: 'deposit',
      amount: amountOf(deposit.amount, deposit.unit, 'none'),
    }
  const mark = topics.includes('owners') ? 'owners' : topics.includes('sessions') ? 'sessions' : 'other'
  return { ...shared, title: sentence, mark }
}

function receiptView(
  { id, at, amount, currency, from, network, chainId }: ReceiptEntry,
  { names }: Context,
): RowView {
  const isIssued = from !== undefined && isAddressEqual(from, zeroAddress)
  const isCombined =
    from !== undefined &&
    network?.smartBalance !== undefined &&
    isAddressEqual(from, network.smartBalance.address)
  const title = !from
    ? t('Received')
    : isIssued
      ? network?.local
        ? t('Test money')
        : t('Newly issued')
      : isCombined
        ? t('Combined balance')
        : (names.get(from.toLowerCase()) ?? shortAddress(from))
  const shown = currency && amountOf(amount, currency, 'in')
  const what = currency
    ? `${formatAmount(amount, currency.decimals)} ${currency.symbol}`
    : t('an unknown token')
  return {
    ...{ id, at, title, state: 'done', mark: from && !isIssued && !isCombined ? 'party' : 'deposit' },
    where: network?.name ?? t('Network {chainId}', { chainId }),
    ...(shown && { amount: shown }),
    sentence: !from
      ? t('Received {what}', { what })
      : isIssued
        ? network?.local
          ? t('Received {what}, test money', { what })
          : t('Received {what}, newly issued', { what })
        : isCombined
          ? t('Received {what} from the combined balance', { what })
          : t('Received {what} from {sender}', { what, sender: title }),
  }
}

const dayFormat = new Intl.DateTimeFormat(regionalLocale, { weekday: 'long', day: 'numeric', month: 'long' })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const timeFormat = new Intl.DateTimeFormat(regionalLocale, { timeStyle: 'short' })

/** The day as a heading: "Today", "Yesterday", "Thursday 26 November". */
export function dayOf(at: string | undefined, now: Date): string {
  if (at === undefined) return t('Earlier')
  const then = new Date(at)
  const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
  const days = Math.round((midnight(now) - midnight(then)) / 86_400_000)
  if (days > 1) return dayFormat.format(then)
  const word = relative.format(-Math.max(days, 0), 'day')
  return word.charAt(0).toLocaleUpperCase(locale) + word.slice(1)
}

export const timeOfDay = (at: string): string => timeFormat.format(new Date(at))
