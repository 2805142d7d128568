import { nativeCurrency } from '../../amounts/currency.ts'
import { formatShortAmount } from '../../amounts/format-amount.ts'
import { callContext, describeCall } from '../../calls/describe-call.ts'
import { summarizeCalls, usesOrder } from '../../calls/summarize-call.ts'
import type { Network } from '../../networks/use-networks.ts'
import { useSession } from '../../session/session-context.tsx'
import { HashLink } from '../../ui/hash-link.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { stateOf } from './operation-state.ts'
import type { Activity } from './use-activity.ts'

interface OperationRowProps {
  readonly operation: Activity
  /** Undefined where the service dropped the network from its configuration. */
  readonly network: Network | undefined
}

/** One operation in words: what it did, where it stands, why it failed. */
export function OperationRow({ operation, network }: OperationRowProps) {
  const { account } = useSession()
  const { label, tone, done } = stateOf(operation)
  const context = callContext(account, network)
  const calls = operation.calls.map(({ targetContractAddress, value, encodedData }) =>
    describeCall({ to: targetContractAddress, value: BigInt(value), data: encodedData }, context),
  )
  // The operator paid it, out of the payment's own fee.
  const combined = calls.some((call) => usesOrder(call, context))
  return (
    <li className="grid gap-1.5 p-4 sm:px-5">
      <p className="min-w-0 font-medium [overflow-wrap:anywhere]">
        {summarizeCalls(calls, done ? 'past' : 'future', context)}
      </p>
      <p className="flex flex-wrap gap-x-4 text-muted text-sm">
        <span>{network?.name ?? `Network ${operation.network}`}</span>
        <Time at={operation.signedAt} />
        {operation.gasCost && !combined && (
          <span className="figures">
            fee {formatShortAmount(BigInt(operation.gasCost), nativeCurrency.decimals, { places: 8 })}{' '}
            {nativeCurrency.symbol}
          </span>
        )}
      </p>
      {operation.reason && <p className="text-danger text-sm">{operation.reason.message}</p>}
      <div className="flex min-h-6 items-center justify-between gap-4">
        {operation.txnHash ? (
          <HashLink hash={operation.txnHash} explorerUrl={network?.explorerUrl} />
        ) : (
          <span />
        )}
        <Tag tone={tone}>{label}</Tag>
      </div>
    </li>
  )
}
