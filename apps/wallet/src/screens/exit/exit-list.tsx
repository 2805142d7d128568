import type { Call } from '@lanyard/accounts'
import { Button, Card, EmptyState, Notice } from '@lanyard/ui'
import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { rich, t } from '../../i18n/t.ts'
import { doNotAnswer } from '../../networks/name-networks.ts'
import type { SmartBalanceNetwork } from '../../networks/use-networks.ts'
import type { Deposits } from '../../smart-balance/use-deposits.ts'
import { ExitRow } from './exit-row.tsx'

/** Typed amounts by chain id. Absent: the whole deposit. */
export type ExitAmounts = Readonly<Record<string, string | undefined>>

interface ExitListProps {
  readonly networks: readonly SmartBalanceNetwork[]
  readonly deposits: Deposits
  readonly amounts: ExitAmounts
  readonly onAmounts: (changed: ExitAmounts) => void
  readonly onReview: (network: SmartBalanceNetwork, call: Call) => void
  /** The network of the last requested step. */
  readonly chosen: number | undefined
  readonly onCancel: () => void
  /** Networks where a change of the deposit is included but not final. */
  readonly pending: readonly number[]
  readonly busy: boolean
  readonly error: Error | null
}

/** Each deposit with its available actions. */
export function ExitList({
  networks,
  deposits,
  amounts,
  onAmounts,
  onReview,
  onCancel,
  pending,
  chosen,
  busy,
  error,
}: ExitListProps) {
  const held = networks.flatMap((network) => {
    const deposit = deposits.deposits.find(({ chainId }) => chainId === network.chainId)
    return deposit && deposit.balance > 0n ? [{ network, deposit }] : []
  })
  return (
    <>
      {deposits.unavailable.length > 0 && (
        <Notice tone="warning">
          {rich('{outage}. Your deposits there are not shown.', {
            outage: doNotAnswer(deposits.unavailable, networks),
          })}
        </Notice>
      )}
      {held.length === 0 && deposits.unavailable.length === 0 ? (
        <EmptyState
          title={t('Nothing deposited')}
          action={
            <Button asChild variant="secondary">
              <Link to="/deposit">{t('Deposit')}</Link>
            </Button>
          }
        >
          {t('You can withdraw your deposits here at any time.')}
        </EmptyState>
      ) : (
        <>
          <ExitExplanation />
          {held.map(({ network, deposit }) => (
            <Card key={network.chainId} aria-labelledby={`exit-${network.chainId}`} className="p-5">
              <ExitRow
                network={network}
                deposit={deposit}
                amount={amounts[network.chainId]}
                onAmount={(amount) => onAmounts({ [network.chainId]: amount })}
                onReview={(call) => onReview(network, call)}
                onCancel={onCancel}
                isPending={pending.includes(network.chainId)}
                busy={busy && chosen === network.chainId}
                error={chosen === network.chainId ? error : null}
              />
            </Card>
          ))}
        </>
      )}
    </>
  )
}

/** Explains the two ways to withdraw, and when to use each. */
function ExitExplanation() {
  return (
    <Notice>
      <div className="grid gap-2">
        <p>
          {rich('Right away: {link} The operator of the combined balance must sign it too.', {
            link: (
              <Link
                to="/send?to=me"
                className="inline-flex items-center gap-1 font-medium underline underline-offset-4"
              >
                {t('Send it to your own account')}
                <ArrowRight className="size-3.5" aria-hidden="true" />
              </Link>
            ),
          })}
        </p>
        <p>
          {t(
            'Without the operator: start below on each network where you deposited, wait seven days, then collect. Nobody can stop it. You cannot spend what you withdraw, and payments that you signed before can still use it. You can cancel until you collect. Each step is an ordinary transaction, so it also works without this wallet. Your recovery kit names the contracts.',
          )}
        </p>
      </div>
    </Notice>
  )
}
