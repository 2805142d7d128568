import type { Call } from '@lanyard/accounts'
import { encodeCancelExit, encodeFinalizeExit } from '@lanyard/smart-balance'
import { Button, formatAmount, Tag, Time } from '@lanyard/ui'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { rich, t } from '../../i18n/t.ts'
import type { SmartBalanceNetwork } from '../../networks/use-networks.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { exitStateOf } from '../../smart-balance/exit-state.ts'
import type { Deposit } from '../../smart-balance/use-deposits.ts'
import { RequestExit } from './request-exit.tsx'

interface ExitRowProps {
  readonly network: SmartBalanceNetwork
  readonly deposit: Deposit
  /** The typed amount to withdraw. Undefined: all of it. */
  readonly amount: string | undefined
  readonly onAmount: (amount: string) => void
  readonly onReview: (call: Call) => void
  readonly onCancel: () => void
  /** True if a signed change is not part of the figures yet. */
  readonly isPending: boolean
  readonly busy: boolean
  readonly error: Error | null
}

/** The withdrawal of one deposit: start, wait, collect. */
export function ExitRow({
  network,
  deposit,
  amount,
  onAmount,
  onReview,
  onCancel,
  isPending,
  busy,
  error,
}: ExitRowProps) {
  const { account } = useSession()
  const { address, unit } = network.smartBalance
  const money = (amount: bigint) => `${formatAmount(amount, unit.decimals)} ${unit.symbol}`
  const exit = exitStateOf(deposit, Date.now())
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 id={`exit-${network.chainId}`} className="font-semibold">
          {network.name}
        </h2>
        <p className="figures text-sm">{rich('{amount} deposited', { amount: money(deposit.balance) })}</p>
      </div>
      {isPending ? (
        <p className="text-muted text-sm">{t('Waiting until your last step is final on the network.')}</p>
      ) : exit.kind === 'none' ? (
        <RequestExit
          network={network}
          deposit={deposit}
          amount={amount}
          onAmount={onAmount}
          onReview={onReview}
          onCancel={onCancel}
          busy={busy}
        />
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
            <Tag tone={exit.kind === 'ready' ? 'good' : 'waiting'}>
              {t(exit.kind === 'ready' ? 'Ready' : 'Waiting')}
            </Tag>
            <p>
              {rich(exit.kind === 'ready' ? '{amount}, ready since {time}' : '{amount}, ready on {time}', {
                amount: money(exit.amount),
                time: <Time at={exit.readyAt} />,
              })}
            </p>
          </div>
          <div className="flex flex-wrap gap-2.5">
            {exit.kind === 'ready' && (
              <Button
                busy={busy}
                aria-label={t('Collect on {network}', { network: network.name })}
                onClick={() => onReview(encodeFinalizeExit(address, account))}
              >
                {t('Collect')}
              </Button>
            )}
            <Button
              variant="secondary"
              busy={busy}
              aria-label={t('Cancel withdrawal on {network}', { network: network.name })}
              onClick={() => onReview(encodeCancelExit(address))}
            >
              {t('Cancel')}
            </Button>
          </div>
        </>
      )}
      {error && <ErrorNotice error={error} />}
    </div>
  )
}
