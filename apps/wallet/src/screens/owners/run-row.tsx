import { Button, CopyButton, FullAddress, NetworkMark, Notice, Spinner, Tag } from '@lanyard/ui'
import { Check } from 'lucide-react'
import { describeError } from '../../errors/describe-error.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { readServiceError } from '../../errors/service-error.ts'
import type { SignedChange } from '../../guardians/use-ownership.ts'
import { t } from '../../i18n/t.ts'
import type { Network } from '../../networks/use-networks.ts'
import type { NetworkChange } from '../../owners/owner-change.ts'
import { waitReasons } from '../../recovery/use-recovery.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { FaucetButton } from '../home/faucet-button.tsx'

/** The state of a run on one network. */
export type NetworkRun =
  | { readonly state: NetworkChange['status'] | 'preparing' | 'signing' | 'together' | 'later' }
  /** Signed once for all networks, and on its way to this one. */
  | { readonly state: 'applying'; readonly reason?: ChangeReason | undefined; readonly payable: boolean }
  | { readonly state: 'failed'; readonly error: Error }

type ChangeReason = NonNullable<SignedChange['networks'][number]['reason']>

interface RunRowProps {
  readonly network: Network
  readonly run: NetworkRun
  readonly onSign: () => void
  readonly onCancel: () => void
}

/** One network of a run: done, next, or blocked by a problem. */
export function RunRow({ network, run, onSign, onCancel }: RunRowProps) {
  const isUnfunded = run.state === 'failed' && readServiceError(run.error)?.code === 'INSUFFICIENT_FUNDS'
  return (
    <li className="grid gap-2.5 py-3" aria-current={run.state === 'signing' ? 'step' : undefined}>
      <div className="flex min-h-11 flex-wrap items-center gap-3">
        <NetworkMark chainId={network.chainId} name={network.name} />
        <span className="flex-1 font-medium">{network.name}</span>
        <RunState run={run} name={network.name} onSign={onSign} onCancel={onCancel} />
      </div>
      {isUnfunded ? (
        <FundFee network={network} error={run.error} onFunded={onSign} />
      ) : (
        run.state === 'failed' && <ErrorNotice error={run.error} onRetry={onSign} />
      )}
    </li>
  )
}

function RunState({
  run,
  name,
  onSign,
  onCancel,
}: Pick<RunRowProps, 'run' | 'onSign' | 'onCancel'> & { name: string }) {
  const review = (
    <Button variant="secondary" aria-label={t('Review on {name}', { name })} onClick={onSign}>
      {t('Review')}
    </Button>
  )
  switch (run.state) {
    case 'done':
      return (
        <span className="flex items-center gap-1.5 text-accent text-sm">
          <Check className="size-4" aria-hidden="true" />
          {t('Done')}
        </span>
      )
    case 'down':
      return <Tag tone="waiting">{t('Not responding')}</Tag>
    case 'preparing':
      return (
        <>
          <span className="flex items-center gap-2 text-muted text-sm" role="status">
            <Spinner />
            {t('Preparing…')}
          </span>
          <Button variant="secondary" aria-label={t('Cancel on {name}', { name })} onClick={onCancel}>
            {t('Cancel')}
          </Button>
        </>
      )
    case 'signing':
      return <Tag tone="waiting">{t('Waiting for your signature')}</Tag>
    case 'pending':
      return review
    case 'together':
      return <span className="text-muted text-sm">{t('With your one signature')}</span>
    case 'later':
      return <span className="text-muted text-sm">{t('After the others')}</span>
    case 'applying':
      return (
        <>
          {!run.reason && <Spinner />}
          <Tag tone="waiting">{run.reason ? waitReasons[run.reason] : t('On its way')}</Tag>
          {run.payable && review}
        </>
      )
    case 'failed':
      return <Tag tone="bad">{t('Not prepared')}</Tag>
  }
}

interface FundFeeProps {
  readonly network: Network
  readonly error: Error
  readonly onFunded: () => void
}

/** Explains how to fund a network's fee, if the account cannot pay it and the service does not. */
export function FundFee({ network, error, onFunded }: FundFeeProps) {
  const { account } = useSession()
  return (
    <Notice
      tone="warning"
      title={t('Your account needs a network fee on {network}.', { network: network.name })}
    >
      <div className="grid gap-3">
        <p>{describeError(error).advice}</p>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <FullAddress address={account} />
          <CopyButton text={account} label={t('Copy your address')} />
        </div>
        <div className="flex flex-wrap items-center gap-2.5">
          {network.local && <FaucetButton network={network} />}
          <Button
            variant="secondary"
            size="small"
            aria-label={t('Try again on {network}', { network: network.name })}
            onClick={onFunded}
          >
            {t('Try again')}
          </Button>
        </div>
      </div>
    </Notice>
  )
}
