import type { Currency } from '@lanyard/calls'
import { formatAmount, HashLink, Spinner } from '@lanyard/ui'
import { Check, Minus, X } from 'lucide-react'
import { t } from '../i18n/t.ts'
import { nameNetworks } from '../networks/name-networks.ts'
import type { Network } from '../networks/use-networks.ts'
import type { Leg, LegState } from './order-legs.ts'

interface OrderLegsListProps {
  readonly legs: readonly Leg[]
  readonly networks: readonly Network[]
  readonly unit: Currency
}

/** Every step of a payment with its state and transaction. */
export function OrderLegsList({ legs, networks, unit }: OrderLegsListProps) {
  return (
    <ol className="grid gap-3.5" aria-label={t('Steps')}>
      {legs.map((leg) => (
        <li
          key={`${leg.kind} ${leg.chainId}`}
          aria-current={leg.state === 'active' ? 'step' : undefined}
          className="flex gap-3 text-sm"
        >
          <span className="grid size-5 shrink-0 place-items-center">
            <LegIcon state={leg.state} />
          </span>
          <div className="grid min-w-0 grow gap-0.5">
            <p className="flex flex-wrap justify-between gap-x-4">
              <span className={leg.state === 'waiting' ? 'text-muted' : 'font-medium'}>
                {leg.text}
                {leg.chainId !== undefined && ` · ${nameNetworks([leg.chainId], networks)}`}
              </span>
              {leg.amount !== undefined && (
                <span className="figures text-muted">
                  {formatAmount(leg.amount, unit.decimals)} {unit.symbol}
                </span>
              )}
            </p>
            {leg.txnHash && (
              <p>
                <HashLink
                  hash={leg.txnHash}
                  explorerUrl={networks.find(({ chainId }) => chainId === leg.chainId)?.explorerUrl}
                />
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

function LegIcon({ state }: { state: LegState }) {
  switch (state) {
    case 'done':
      return <Check className="size-4.5 text-accent" aria-label={t('done')} />
    case 'active':
      return <Spinner />
    case 'failed':
      return <X className="size-4.5 text-danger" aria-label={t('failed')} />
    case 'skipped':
      return <Minus className="size-4.5 text-muted" aria-label={t('not needed')} />
    case 'waiting':
      return <span className="size-1.5 rounded-full bg-strong-line" />
  }
}
