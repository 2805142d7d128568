import { formatAmount } from '../amounts/format-amount.ts'
import { rich, t } from '../i18n/t.ts'
import { useNetworks } from '../networks/use-networks.ts'
import { useActivity } from '../operation/use-activity.ts'
import { useSession } from '../sign-in/session-context.tsx'
import { type PendingStep, pendingSteps } from './pending-steps.ts'

/** Recent steps that do not count yet, which takes a quarter of an hour on some networks. */
export function PendingNotes() {
  const { account } = useSession()
  const { data: networks = [] } = useNetworks()
  const activity = useActivity()
  const operations = activity.data?.pages.flatMap((page) => page.activity) ?? []
  const steps = pendingSteps(operations, networks, account)
  if (steps.length === 0) return null
  return (
    <ul className="grid gap-1 text-cord-ink text-sm" aria-label={t('Not final yet')}>
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one operation can hold equal calls
        <li key={`${step.userOpHash} ${index}`}>
          {rich('{step} on {name}. It counts once it is final on the network.', {
            step: describeStep(step),
            name: step.network.name,
          })}
        </li>
      ))}
    </ul>
  )
}

function describeStep({ call }: PendingStep): string {
  switch (call.kind) {
    case 'deposit':
      return t('You deposited {amount} {symbol}', {
        amount: formatAmount(call.amount, call.unit.decimals),
        symbol: call.unit.symbol,
      })
    case 'request-exit':
      return t('You started to withdraw {amount} {symbol}', {
        amount: formatAmount(call.amount, call.unit.decimals),
        symbol: call.unit.symbol,
      })
    case 'cancel-exit':
      return t('You cancelled a withdrawal')
    case 'finalize-exit':
      return t('You collected a withdrawal')
  }
}
