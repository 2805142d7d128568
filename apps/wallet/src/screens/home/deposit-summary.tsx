import { ArrowRight } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'react-router'
import { formatShortAmount } from '../../amounts/amounts.ts'
import { rich } from '../../i18n/t.ts'
import type { Network } from '../../networks/use-networks.ts'
import { useActivity } from '../../operation/use-activity.ts'
import { type Deposits, unitOf } from '../../smart-balance/use-deposits.ts'

interface DepositSummaryProps {
  readonly networks: readonly Network[]
  readonly deposits: Deposits['deposits']
}

/** Says in a sentence what is deposited and what that is good for. */
export function DepositSummary({ networks, deposits }: DepositSummaryProps) {
  const unit = unitOf(networks)
  const deposited = deposits.reduce((sum, { balance }) => sum + balance, 0n)
  return (
    <div className="grid gap-1 py-2 text-muted text-sm sm:pl-9">
      <p className="max-w-prose">
        {deposited > 0n
          ? rich('{amount} of it is deposited: you spend that on any network, with one signature. {link}', {
              amount: `${formatShortAmount(deposited, unit.decimals, { places: 2, fixed: 2 })} ${unit.symbol}`,
              link: <TextLink to="/take-out">{rich('Withdraw', {})}</TextLink>,
            })
          : rich(
              'Nothing is deposited. What you deposit, you can spend on any network with one signature.',
              {},
            )}
      </p>
      <PendingSteps />
    </div>
  )
}

function TextLink({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <Link
      to={to}
      className="inline-flex items-center gap-1 font-medium text-ink underline underline-offset-4"
    >
      {children}
      <ArrowRight className="size-3.5" aria-hidden="true" />
    </Link>
  )
}

/** Describes calls, which needs the ABIs. They are loaded only when there is something to describe. */
const PendingNotes = lazy(async () => ({
  default: (await import('../../smart-balance/pending-notes.tsx')).PendingNotes,
}))

function PendingSteps() {
  const activity = useActivity()
  const isPending = activity.data?.pages.some((page) =>
    page.activity.some(({ state, final }) => state === 'included' && !final),
  )
  return (
    isPending && (
      <Suspense>
        <PendingNotes />
      </Suspense>
    )
  )
}
