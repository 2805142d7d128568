import type { Currency } from '@lanyard/calls'
import {
  Avatar,
  Button,
  Details,
  FullAddress,
  formatAmount,
  HashLink,
  regionalLocale,
  ShareButton,
  Sheet,
  Spinner,
  Time,
} from '@lanyard/ui'
import { Check, Printer, Repeat2, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { type Address, isAddressEqual, zeroAddress } from 'viem'
import { describeReason } from '../../errors/describe-error.ts'
import { Worth } from '../../holdings/worth.tsx'
import { rich, t } from '../../i18n/t.ts'
import { ContactControls } from '../../recipients/contact-controls.tsx'
import { readRecipients } from '../../recipients/known-recipients.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { OperationDetails } from './operation-details.tsx'
import { type Payment, sumOf } from './payments-of.ts'
import { CombinedFacts, FeeFact, isCombined, ReceiptFact } from './receipt-facts.tsx'
import { type RowView, stateText, timeOfDay } from './row-view.ts'
import type { OperationEntry, ReceiptEntry } from './timeline.ts'

interface ReceiptSheetProps {
  readonly entry: OperationEntry | ReceiptEntry
  readonly view: RowView
  /** Lower-case address → name. */
  readonly names: ReadonlyMap<string, string>
  readonly onClose: () => void
}

/** One receipt for everything that was paid or arrived: amount and who, state, facts, actions. */
export function ReceiptSheet({ entry, view, names, onClose }: ReceiptSheetProps) {
  const { account } = useSession()
  const [isDetailed, setDetailed] = useState(false)
  const { title, mark } = view
  const { network } = entry
  const isIn = entry.kind === 'receipt'
  const payments = isIn ? [] : entry.payments
  const sender = isIn ? senderOf(entry) : undefined
  const only = new Set(payments.map(({ to }) => to)).size === 1 ? payments[0]?.to : undefined
  const party = sender ?? only
  const amount = amountOf(entry, payments)
  const hash = isIn ? entry.txnHash : entry.operation.txnHash
  return (
    <Sheet
      title={t('Receipt')}
      onClose={onClose}
      foot={
        <>
          <ShareButton text={textOf(view, hash, network?.explorerUrl)} />
          <Button variant="secondary" onClick={() => window.print()}>
            <Printer className="size-4" aria-hidden="true" />
            {t('Print')}
          </Button>
          {party && (
            <Button asChild>
              <Link to={`/send?to=${party}`}>
                <Repeat2 className="size-4" aria-hidden="true" />
                {isIn ? t('Send to {name}', { name: title }) : t('Send again')}
              </Link>
            </Button>
          )}
          {party && !isAddressEqual(party, account) && <Contact address={party} />}
        </>
      }
    >
      <div className="grid gap-5">
        <div className="flex items-center gap-4">
          {mark === 'party' && (
            <Avatar name={title.replace(/^0x/, '')} className="size-12 bg-sunken text-ink text-xl" />
          )}
          <div className="grid min-w-0">
            <p className="figures font-semibold text-3xl tracking-tight [overflow-wrap:anywhere]">
              {amount ? <Money {...amount} /> : <span className="text-2xl">{title}</span>}
            </p>
            {amount && (
              <p className="text-muted [overflow-wrap:anywhere]">
                {sender
                  ? rich('from {party}', { party: title })
                  : payments.length > 0
                    ? rich('to {party}', { party: title })
                    : title}
                {network && (
                  <Worth chainId={network.chainId} {...amount} before=" · " after={` ${t('today')}`} />
                )}
              </p>
            )}
          </div>
        </div>
        <Steps entry={entry} view={view} />
        <dl className="grid divide-y divide-line border-line border-y text-sm">
          {sender && (
            <ReceiptFact term={t('From')}>
              <Party address={sender} names={names} />
            </ReceiptFact>
          )}
          {payments.map((payment, index) => (
            <ReceiptFact key={`${payment.to} ${payment.currency.symbol}`} term={index === 0 ? t('To') : ''}>
              <Party address={payment.to} names={names} />
              {payments.length > 1 && (
                <span className="figures">
                  {formatAmount(payment.amount, payment.currency.decimals)} {payment.currency.symbol}
                </span>
              )}
            </ReceiptFact>
          ))}
          {!isIn && isCombined(entry, account) && <CombinedFacts entry={entry} />}
          <ReceiptFact term={t('Network')}>{view.where}</ReceiptFact>
          {isIn && !entry.from && (
            <ReceiptFact term={t('When')}>{t('before your account was deployed there')}</ReceiptFact>
          )}
          {view.at && (
            <ReceiptFact term={isIn && !entry.from ? t('Seen in this browser') : t('When')}>
              <Time at={view.at} seconds />
            </ReceiptFact>
          )}
          {!isIn && <FeeFact entry={entry} />}
          {hash && (
            <ReceiptFact term={t('Transaction')}>
              <HashLink hash={hash} explorerUrl={network?.explorerUrl} />
            </ReceiptFact>
          )}
          {isIn && entry.currency?.token && (
            <ReceiptFact term={t('Token contract')}>
              <code className="break-all font-mono text-xs">{entry.currency.token}</code>
            </ReceiptFact>
          )}
        </dl>
        {!isIn && (
          <div className="print:hidden">
            <Details summary={t('Details')} onOpen={() => setDetailed(true)}>
              {isDetailed && <OperationDetails entry={entry} names={names} />}
            </Details>
          </div>
        )}
      </div>
    </Sheet>
  )
}

/** The receipt as a text to share. */
function textOf({ sentence, where, at }: RowView, hash: string | undefined, explorerUrl: string | undefined) {
  const link = hash && explorerUrl ? `${explorerUrl.replace(/\/$/, '')}/tx/${hash}` : hash
  const when = at && new Date(at).toLocaleString(regionalLocale)
  return [sentence, where, when, link].filter(Boolean).join('\n')
}

/** Who paid. Undefined if it is unknown, or newly issued. */
const senderOf = ({ from }: ReceiptEntry): Address | undefined =>
  from && !isAddressEqual(from, zeroAddress) ? from : undefined

/** A receipt does not round. */
function amountOf(
  entry: OperationEntry | ReceiptEntry,
  payments: readonly Payment[],
): Omit<Payment, 'to'> | undefined {
  if (entry.kind === 'receipt') return entry.currency && { amount: entry.amount, currency: entry.currency }
  const deposit = entry.calls.find((call) => call.kind === 'deposit')
  return sumOf(payments) ?? (deposit && { amount: deposit.amount, currency: deposit.unit })
}

function Money({ amount, currency }: { readonly amount: bigint; readonly currency: Currency }) {
  return (
    <>
      {formatAmount(amount, currency.decimals)}{' '}
      <span className="font-medium text-lg text-muted">{currency.symbol}</span>
    </>
  )
}

function Party({ address, names }: { readonly address: Address } & Pick<ReceiptSheetProps, 'names'>) {
  const { account } = useSession()
  const name = isAddressEqual(address, account) ? t('Your account') : names.get(address.toLowerCase())
  return (
    <>
      {name && <span className="font-medium [overflow-wrap:anywhere]">{name}</span>}
      {/* Two lines of five groups. */}
      <span className="max-w-64">
        <FullAddress address={address} />
      </span>
    </>
  )
}

type StepState = RowView['state'] | 'waiting'

/** Signed, paying, paid: how far an operation is. */
function Steps({ entry, view }: Pick<ReceiptSheetProps, 'entry' | 'view'>) {
  if (entry.kind === 'receipt') return null
  const { signedAt, includedAt, reason } = entry.operation
  const isPending = view.state === 'pending'
  const steps: { readonly text: string; readonly at?: string | undefined; readonly state: StepState }[] = [
    { text: t('You signed'), at: signedAt, state: 'done' },
    ...(isPending ? [{ text: stateText(view), state: 'pending' } as const] : []),
    {
      text:
        view.state === 'failed' && reason
          ? t('{state}: {reason}', { state: stateText(view), reason: describeReason(reason) })
          : stateText({ ...view, state: isPending ? 'done' : view.state }),
      at: isPending ? undefined : includedAt,
      state: isPending ? 'waiting' : view.state,
    },
  ]
  return (
    <ol className="grid gap-3 rounded-card bg-sunken p-4" aria-label={t('Progress')}>
      {steps.map(({ text, at, state }) => (
        <li
          key={text}
          aria-current={state === 'pending' ? 'step' : undefined}
          className="flex flex-wrap items-start gap-x-3 text-sm"
        >
          <StepMark state={state} />
          <span className={`min-w-[6em] flex-1 [overflow-wrap:anywhere] ${stepStyles[state]}`}>{text}</span>
          {at && (
            <time dateTime={at} className="text-muted">
              {timeOfDay(at)}
            </time>
          )}
        </li>
      ))}
    </ol>
  )
}

const stepStyles: Readonly<Record<StepState, string>> = {
  done: 'font-medium',
  pending: 'font-medium text-cord-ink',
  failed: 'font-medium text-danger',
  expired: 'font-medium',
  waiting: 'text-muted',
}

function StepMark({ state }: { readonly state: StepState }) {
  if (state === 'pending') return <Spinner />
  if (state === 'waiting' || state === 'expired')
    return <span className="size-5 shrink-0 rounded-full border-2 border-line" aria-hidden="true" />
  const Icon = state === 'failed' ? X : Check
  return (
    <span
      className={`grid size-5 shrink-0 place-items-center rounded-full text-surface ${state === 'failed' ? 'bg-danger' : 'bg-accent'}`}
      aria-hidden="true"
    >
      <Icon className="size-3" strokeWidth={3} />
    </span>
  )
}

function Contact({ address }: { readonly address: Address }): ReactNode {
  const { account } = useSession()
  const [, setChanges] = useState(0)
  const contact = readRecipients(account).find((known) => isAddressEqual(known.address, address))?.contact
  return (
    <ContactControls
      address={address}
      contact={contact}
      onChange={() => setChanges((changes) => changes + 1)}
    />
  )
}
