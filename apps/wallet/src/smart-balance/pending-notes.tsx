import { formatAmount } from '../amounts/format-amount.ts'
import { useNetworks } from '../networks/use-networks.ts'
import { useActivity } from '../screens/activity/use-activity.ts'
import { useSession } from '../session/session-context.tsx'
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
    <ul className="grid gap-1 text-cord-ink text-sm" aria-label="Not final yet">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one operation can hold equal calls
        <li key={`${step.userOpHash} ${index}`}>
          {describeStep(step)} on {step.network.name}. It counts once it is final on the network.
        </li>
      ))}
    </ul>
  )
}

function describeStep({ call }: PendingStep): string {
  switch (call.kind) {
    case 'deposit':
      return `You deposited ${formatAmount(call.amount, call.unit.decimals)} ${call.unit.symbol}`
    case 'request-exit':
      return `You started to withdraw ${formatAmount(call.amount, call.unit.decimals)} ${call.unit.symbol}`
    case 'cancel-exit':
      return 'You cancelled a withdrawal'
    case 'finalize-exit':
      return 'You collected a withdrawal'
  }
}
