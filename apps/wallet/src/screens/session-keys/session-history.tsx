import type { Currency } from '@lanyard/calls'
import { Button, formatAmount, HashLink, ListSkeleton, shortAddress, Tag, Time } from '@lanyard/ui'
import { zeroAddress } from 'viem'
import { describeReason } from '../../errors/describe-error.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { t } from '../../i18n/t.ts'
import type { Network } from '../../networks/use-networks.ts'
import { useRecipientNames } from '../../recipients/known-recipients.ts'
import { allowanceCurrency } from '../../session-keys/requested-limits.tsx'
import type { SessionAction, useSessionHistory } from '../../session-keys/use-sessions.ts'
import { stateOf } from '../activity/operation-state.ts'

interface SessionHistoryProps {
  readonly history: ReturnType<typeof useSessionHistory>
  readonly network: Pick<Network, 'currencies' | 'explorerUrl'>
}

/** What a session key did: amounts, recipients, times and outcomes. */
export function SessionHistory({ history, network: { currencies, explorerUrl } }: SessionHistoryProps) {
  if (history.error && !history.data)
    return <ErrorNotice error={history.error} onRetry={() => void history.refetch()} />
  if (!history.data) return <ListSkeleton label={t('Loading what it did')} />
  const actions = history.data.pages.flatMap((page) => page.history)
  if (actions.length === 0) return <p className="text-muted text-sm">{t('Nothing yet.')}</p>
  return (
    <div className="grid gap-3">
      <ol className="grid gap-3 text-sm">
        {actions.map((action) => (
          <Action key={action.userOpHash} action={action} currencies={currencies} explorerUrl={explorerUrl} />
        ))}
      </ol>
      {history.hasNextPage && (
        <Button
          variant="secondary"
          size="small"
          className="justify-self-start"
          busy={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          {t('Show older')}
        </Button>
      )}
    </div>
  )
}

interface ActionProps {
  readonly action: SessionAction
  readonly currencies: readonly Currency[]
  readonly explorerUrl: string | undefined
}

function Action({ action, currencies, explorerUrl }: ActionProps) {
  const names = useRecipientNames()
  const { label, tone } = stateOf(action)
  const parts = action.spent.map(({ token, amount, to }) => {
    const { symbol, decimals } = allowanceCurrency(token ?? zeroAddress, currencies)
    const name = names.get(to.toLowerCase())
    return t('{amount} {symbol} to {party}', {
      amount: formatAmount(BigInt(amount), decimals),
      symbol,
      party: name ? `${name} (${shortAddress(to)})` : shortAddress(to),
    })
  })
  return (
    <li className="grid gap-1">
      <p className="wrap-anywhere font-medium">
        {parts.length > 0
          ? parts.join(', ')
          : t('{count, plural, one {# call} other {# calls}} without a payment', {
              count: action.calls.length,
            })}
      </p>
      {action.reason && <p className="text-danger">{describeReason(action.reason)}</p>}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted">
        <Time at={action.signedAt} />
        <Tag tone={tone}>{label}</Tag>
        {action.txnHash && <HashLink hash={action.txnHash} explorerUrl={explorerUrl} />}
      </div>
    </li>
  )
}
