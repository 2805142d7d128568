import { Fragment } from 'react'
import { formatAmount, pageLocale } from '../format-amount.ts'
import { groupBy } from '../group-by.ts'
import { hasDecimals } from '../safe-values.ts'
import { fill, type Texts } from '../texts.ts'
import { useAccount } from '../use-account.ts'
import { type ActivityEntry, useActivity } from '../use-activity.ts'
import { useNetworks } from '../use-networks.ts'
import { useTexts } from '../use-texts.ts'
import { shortAddress } from './address.tsx'
import { ErrorMessage } from './error-message.tsx'
import { Icon } from './icon.tsx'

export interface ActivityProps {
  readonly className?: string
  /** Other words. */
  readonly texts?: Texts
}

/** What the signed-in account paid and received, newest first, by day. Renders nothing for others. */
export function Activity({ className = '', texts }: ActivityProps) {
  const account = useAccount()
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useActivity()
  const say = useTexts(texts)
  if (!account) return null
  const days = groupBy(data ?? [], ({ at }) => at.toDateString())
  return (
    <div aria-busy={!data && !error} className={`lanyard lanyard-stack ${className}`}>
      <ErrorMessage error={error} texts={texts} />
      {!data && !error && <p className="lanyard-muted">{say.loading}</p>}
      {data?.length === 0 && <p className="lanyard-muted">{say.nothingYet}</p>}
      {[...days].map(([day, entries]) => (
        <Fragment key={day}>
          <p className="lanyard-day">{dayOf(entries[0])}</p>
          <ul className="lanyard-list" aria-label={dayOf(entries[0])}>
            {entries.map((entry) => (
              <Row key={entry.id} entry={entry} texts={texts} />
            ))}
          </ul>
        </Fragment>
      ))}
      {hasNextPage && (
        <button
          type="button"
          disabled={isFetchingNextPage}
          className="lanyard-button lanyard-quiet"
          onClick={() => fetchNextPage()}
        >
          {isFetchingNextPage ? say.loading : say.older}
        </button>
      )}
    </div>
  )
}

const dayOf = (entry: ActivityEntry | undefined) =>
  entry?.at.toLocaleDateString(pageLocale(), { day: 'numeric', month: 'long', year: 'numeric' })

function Row({ entry, texts }: { readonly entry: ActivityEntry; readonly texts: Texts | undefined }) {
  const { data: networks } = useNetworks()
  const say = useTexts(texts)
  const { kind, state, amount, currency, party, fee, at } = entry
  const network = networks?.find(({ network }) => network === entry.network)
  const who = party && shortAddress(party)
  const title =
    kind === 'other'
      ? say.other
      : who
        ? fill(kind === 'sent' ? say.sent : say.received, { party: who })
        : say.receivedUnknown
  const parts = [
    at.toLocaleTimeString(pageLocale(), { timeStyle: 'short' }),
    network?.name,
    state !== 'done' && say[state],
    fee !== undefined &&
      network &&
      hasDecimals(network.nativeCurrency) &&
      fill(say.fee, {
        amount: `${formatAmount(fee, network.nativeCurrency.decimals)} ${network.nativeCurrency.symbol}`,
      }),
  ]
  const isIn = kind === 'received'
  return (
    <li className="lanyard-entry" data-state={state}>
      <span className="lanyard-avatar">
        <Icon name={kind === 'other' ? 'dots' : isIn ? 'down' : 'up'} />
      </span>
      <span className="lanyard-grow">
        <span title={party}>{title}</span>
        <span className="lanyard-hint">{parts.filter(Boolean).join(' · ')}</span>
      </span>
      {amount !== undefined && currency && (
        <span className="lanyard-figures" data-direction={isIn ? 'in' : 'out'}>
          {isIn ? '+' : '−'}
          {formatAmount(amount, currency.decimals)} {currency.symbol}
        </span>
      )}
    </li>
  )
}
