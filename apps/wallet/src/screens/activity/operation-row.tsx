import { Details, HashLink, Tag, Time } from '@lanyard/ui'
import { ArrowUpRight, KeyRound, Layers, type LucideIcon, Timer } from 'lucide-react'
import { useState } from 'react'
import { formatShortAmount } from '../../amounts/amounts.ts'
import { nativeOf } from '../../amounts/currency.ts'
import { callContext } from '../../calls/describe-call.ts'
import { summarizeCalls, usesOrder } from '../../calls/summarize-call.ts'
import { describeReason } from '../../errors/describe-error.ts'
import { rich, t } from '../../i18n/t.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { Counterparty, RowIcon } from './counterparty.tsx'
import { OperationDetails } from './operation-details.tsx'
import { stateOf } from './operation-state.ts'
import type { OperationEntry } from './timeline.ts'

interface OperationRowProps {
  readonly entry: OperationEntry
  /** Lower-case address → name. */
  readonly names: ReadonlyMap<string, string>
}

/** One operation: its effect, its state, and the reason if it failed. */
export function OperationRow({ entry, names }: OperationRowProps) {
  const { operation, network, calls, topics } = entry
  const { account } = useSession()
  const [isOpened, setOpened] = useState(false)
  const { label, tone, done } = stateOf(operation)
  const context = callContext(account, network, names)
  const native = nativeOf(network?.currencies ?? [])
  // The operator paid for it from the payment's own fee.
  const combined = calls.some((call) => usesOrder(call, context))
  const paid = calls.find((call) => call.kind === 'transfer')
  return (
    <li className="flex gap-3 p-4 sm:px-5">
      <RowIcon Icon={iconOf(topics)} tone="neutral" />
      <div className="grid min-w-0 flex-1 gap-1.5">
        <p className="min-w-0 font-medium [overflow-wrap:anywhere]">
          {summarizeCalls(calls, done ? 'past' : 'future', context)}
        </p>
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-sm">
          {paid && <Counterparty address={paid.to} names={names} />}
          <span>{network?.name ?? t('Network {network}', { network: operation.network })}</span>
          <Time at={operation.signedAt} />
          {operation.gasCost && !combined && !operation.paymaster && (
            <span className="figures">
              {rich('fee {amount} {symbol}', {
                amount: formatShortAmount(BigInt(operation.gasCost), native.decimals),
                symbol: native.symbol,
              })}
            </span>
          )}
        </p>
        {operation.reason && <p className="text-danger text-sm">{describeReason(operation.reason)}</p>}
        <div className="flex min-h-6 flex-wrap items-center justify-between gap-x-4 gap-y-1">
          {operation.txnHash ? (
            <HashLink hash={operation.txnHash} explorerUrl={network?.explorerUrl} />
          ) : (
            <span />
          )}
          <Tag tone={tone}>{label}</Tag>
        </div>
        <Details summary={t('Details')} onOpen={() => setOpened(true)}>
          {isOpened && <OperationDetails entry={entry} names={names} />}
        </Details>
      </div>
    </li>
  )
}

function iconOf(topics: OperationEntry['topics']): LucideIcon {
  if (topics.includes('owners')) return KeyRound
  if (topics.includes('sessions')) return Timer
  return topics.includes('combined') && !topics.includes('sent') ? Layers : ArrowUpRight
}
