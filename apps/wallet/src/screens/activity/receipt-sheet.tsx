import { Avatar, Button, FullAddress, HashLink, locale, Sheet, Spinner, Time } from '@lanyard/ui'
import { Check, Printer, Repeat2, Share2, X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Address, type Hex, isAddressEqual, zeroAddress } from 'viem'
import { formatAmount } from '../../amounts/amounts.ts'
import { nativeOf } from '../../amounts/currency.ts'
import { callContext } from '../../calls/describe-call.ts'
import { usesOrder } from '../../calls/summarize-call.ts'
import { describeReason } from '../../errors/describe-error.ts'
import { rich, t } from '../../i18n/t.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { ContactControls } from '../../recipients/contact-controls.tsx'
import { readRecipients } from '../../recipients/known-recipients.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { unitOf } from '../../smart-balance/use-deposits.ts'
import { useOrders } from '../../smart-balance/use-orders.ts'
import { type RowView, stateText } from './row-view.ts'
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
  const { title, amount, mark } = view
  const { network } = entry
  const isIn = entry.kind === 'receipt'
  const party = partyOf(entry)
  const hash = isIn ? entry.txnHash : entry.operation.txnHash
  const text = [
    view.sentence,
    view.where,
    ...(view.at ? [new Date(view.at).toLocaleString(locale)] : []),
    ...(hash ? [network?.explorerUrl ? `${network.explorerUrl}/tx/${hash}` : hash] : []),
  ].join('\n')
  return (
    <Sheet title={t('Receipt')} onClose={onClose}>
      <div className="grid gap-5">
        <div className="flex items-center gap-4">
          {mark === 'party' && <Avatar name={title} className="size-12 bg-sunken text-ink text-xl" />}
          <div className="grid min-w-0">
            <p className="figures font-semibold text-3xl tracking-tight">
              {amount ? (
                <>
                  {exactAmount(entry) ?? amount.text.replace(/^[+−]/, '')}{' '}
                  <span className="font-medium text-lg text-muted">{amount.symbol}</span>
                </>
              ) : (
                <span className="text-2xl">{title}</span>
              )}
            </p>
            {party && (
              <p className="text-muted [overflow-wrap:anywhere]">
                {isIn ? rich('from {party}', { party: title }) : rich('to {party}', { party: title })}
              </p>
            )}
          </div>
        </div>
        <Steps entry={entry} view={view} />
        <dl className="grid divide-y divide-line border-line border-y text-sm">
          {party && (
            <Row term={isIn ? t('From') : t('To')}>
              {names.has(party.toLowerCase()) && <span className="font-medium">{title}</span>}
              <FullAddress address={party} />
            </Row>
          )}
          <Row term={t('Network')}>{view.where}</Row>
          {view.at && (
            <Row term={t('When')}>
              <Time at={view.at} seconds />
            </Row>
          )}
          {entry.kind === 'operation' && <FeeRow entry={entry} />}
          {hash && (
            <Row term={t('Transaction')}>
              <HashLink hash={hash} explorerUrl={network?.explorerUrl} />
            </Row>
          )}
        </dl>
        <div className="flex flex-wrap gap-2 print:hidden">
          <ShareButton text={text} />
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
          {party && <Contact address={party} />}
        </div>
        <p className="print:hidden">
          <Link
            to="/activity"
            className="inline-grid min-h-11 content-center text-muted text-sm underline underline-offset-4"
          >
            {t('All activity')}
          </Link>
        </p>
      </div>
    </Sheet>
  )
}

/** Who was paid or who paid; undefined if it is nobody, or several. */
function partyOf(entry: OperationEntry | ReceiptEntry): Address | undefined {
  if (entry.kind === 'receipt')
    return entry.from && !isAddressEqual(entry.from, zeroAddress) ? entry.from : undefined
  const paid = entry.calls.filter((call) => call.kind === 'transfer')
  return paid.length === 1 ? paid[0]?.to : undefined
}

/** A receipt does not round. */
function exactAmount(entry: OperationEntry | ReceiptEntry): string | undefined {
  if (entry.kind === 'receipt') return entry.currency && formatAmount(entry.amount, entry.currency.decimals)
  const paid = entry.calls.filter((call) => call.kind === 'transfer')
  const [only] = paid
  return only && paid.length === 1 ? formatAmount(only.amount, only.currency.decimals) : undefined
}

function Steps({ entry, view }: Pick<ReceiptSheetProps, 'entry' | 'view'>) {
  if (entry.kind === 'receipt') return null
  const { signedAt, includedAt, reason } = entry.operation
  const steps = [
    { text: t('You signed'), at: signedAt, state: 'done' as const },
    {
      text: view.state === 'failed' && reason ? describeReason(reason) : stateText(view),
      at: view.state === 'pending' ? undefined : includedAt,
      state: view.state,
    },
  ]
  return (
    <ol className="grid gap-3 rounded-card bg-sunken p-4" aria-label={t('History')}>
      {steps.map(({ text, at, state: of }) => (
        <li key={text} className="flex items-start gap-3 text-sm">
          <StepMark state={of} />
          <span
            className={`min-w-0 flex-1 font-medium [overflow-wrap:anywhere] ${of === 'failed' ? 'text-danger' : ''}`}
          >
            {text}
          </span>
          {at && (
            <span className="text-muted">
              <Time at={at} />
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}

function StepMark({ state }: { readonly state: RowView['state'] }) {
  if (state === 'pending') return <Spinner />
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

/** What the account really paid for it, in the token that paid. */
function FeeRow({ entry: { operation, network, calls } }: { readonly entry: OperationEntry }) {
  const { account } = useSession()
  if (calls.some((call) => usesOrder(call, callContext(account, network))))
    return <CombinedFeeRow userOpHash={operation.userOpHash} />
  if (operation.paymaster) return <Row term={t('Fee')}>{t('Paid for you')}</Row>
  if (!operation.gasCost) return null
  const native = nativeOf(network?.currencies ?? [])
  return (
    <Row term={t('Fee')}>
      <span className="figures wrap-anywhere">
        {formatAmount(BigInt(operation.gasCost), native.decimals)} {native.symbol}
      </span>
    </Row>
  )
}

function CombinedFeeRow({ userOpHash }: { readonly userOpHash: Hex }) {
  const { data: networks } = useNetworks()
  const orders = useOrders()
  const order = orders.data?.pages
    .flatMap((page) => page.orders)
    .find((candidate) => candidate.userOpHash === userOpHash)
  if (!order || !networks) return null
  const unit = unitOf(networks, order.outputNetwork)
  return (
    <Row term={t('Fee')}>
      <span className="figures">
        {formatAmount(BigInt(order.fee), unit.decimals)} {unit.symbol}
      </span>
      <span className="text-muted">{t('Taken from your combined balance.')}</span>
    </Row>
  )
}

function Row({ term, children }: { readonly term: string; readonly children: React.ReactNode }) {
  return (
    <div className="grid grid-cols-[min(5.5rem,104px)_minmax(0,1fr)] gap-3 py-3 sm:grid-cols-[6rem_minmax(0,1fr)]">
      <dt className="text-muted">{term}</dt>
      <dd className="grid gap-0.5">{children}</dd>
    </div>
  )
}

/** Opens the device's share dialog. Some browsers have none. */
function ShareButton({ text }: { readonly text: string }) {
  if (!('share' in navigator)) return null
  return (
    <Button variant="secondary" onClick={() => void navigator.share({ text }).catch(() => undefined)}>
      <Share2 className="size-4" aria-hidden="true" />
      {t('Share')}
    </Button>
  )
}

function Contact({ address }: { readonly address: Address }) {
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
