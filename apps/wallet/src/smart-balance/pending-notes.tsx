import type { SmartBalanceCall } from '@lanyard/calls'
import { callContext, describeCall } from '@lanyard/calls'
import { formatAmount } from '@lanyard/ui'
import type { Address } from 'viem'
import { toCall } from '../calls/to-call.ts'
import { rich, t } from '../i18n/t.ts'
import { type Network, useNetworks } from '../networks/use-networks.ts'
import { type Activity, useActivity } from '../operation/use-activity.ts'
import { useSession } from '../sign-in/session-context.tsx'

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

/** A change of a deposit that counts only once it is final on its network. */
export interface PendingStep {
  readonly userOpHash: string
  readonly network: Network
  readonly call: Extract<
    SmartBalanceCall,
    { kind: 'deposit' | 'request-exit' | 'cancel-exit' | 'finalize-exit' }
  >
}

/** Steps of the account's deposits and exits that are included but not final. */
export function pendingSteps(
  activity: readonly Pick<Activity, 'userOpHash' | 'network' | 'state' | 'success' | 'final' | 'calls'>[],
  networks: readonly Network[],
  account: Address,
): readonly PendingStep[] {
  return activity.flatMap(({ userOpHash, network: name, state, success, final, calls }) => {
    const network = networks.find(({ chainId }) => String(chainId) === name)
    if (!network || state !== 'included' || success === false || final) return []
    return calls.flatMap((detail): PendingStep[] => {
      const call = describeCall(toCall(detail), callContext(account, network))
      switch (call.kind) {
        case 'deposit':
        case 'request-exit':
        case 'cancel-exit':
        case 'finalize-exit':
          return [{ userOpHash, network, call }]
        default:
          return []
      }
    })
  })
}
