import { callContext, describeCall, summarizeCalls } from '@lanyard/calls'
import { Card, HashLink } from '@lanyard/ui'
import { CircleCheck, CircleX } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { rich, t } from '../i18n/t.ts'
import { useSession } from '../sign-in/session-context.tsx'
import type { OperationOutcome } from './operation-outcome.ts'
import type { PreparedOperation } from './prepare-operation.ts'

const texts = {
  included: { title: t('Done'), Icon: CircleCheck, color: 'text-accent' },
  reverted: { title: t('It failed on the network'), Icon: CircleX, color: 'text-danger' },
  dropped: { title: t('It was not included'), Icon: CircleX, color: 'text-danger' },
} as const

interface OperationResultProps {
  readonly prepared: PreparedOperation
  /** Lower-case address → name. */
  readonly names?: ReadonlyMap<string, string> | undefined
  readonly outcome: OperationOutcome
  readonly headingRef: RefObject<HTMLHeadingElement | null>
  readonly children: ReactNode
}

/** The outcome of an operation, and the next steps. */
export function OperationResult({ prepared, names, outcome, headingRef, children }: OperationResultProps) {
  const { account } = useSession()
  const { network, verified } = prepared
  const { title, Icon, color } = texts[outcome.kind]
  const context = callContext(account, network, names)
  const summary = summarizeCalls(
    verified.calls.map((call) => describeCall(call, context)),
    outcome.kind === 'included' ? 'past' : 'future',
    context,
  )
  return (
    <Card className="grid gap-4 p-5 sm:p-6">
      <Icon className={`size-10 ${color}`} strokeWidth={1.5} aria-hidden="true" />
      <div className="grid gap-1">
        <h2 ref={headingRef} tabIndex={-1} className="font-semibold text-xl">
          {title}
        </h2>
        <p>{rich('{summary} on {network}.', { summary, network: network.name })}</p>
        {outcome.kind === 'reverted' && (
          <p className="text-muted">
            {rich('{reason} You paid only the network fee.', {
              reason: outcome.reason ?? t('The network undid the calls.'),
            })}
          </p>
        )}
        {outcome.kind === 'dropped' && (
          <p className="text-muted">
            {rich('{reason} You can send it again.', { reason: outcome.reason ?? t('Nothing moved.') })}
          </p>
        )}
      </div>
      {outcome.txnHash && (
        <p className="flex flex-wrap items-center gap-x-2 text-sm">
          <span className="text-muted">{t('Transaction')}</span>
          <HashLink hash={outcome.txnHash} explorerUrl={network.explorerUrl} />
        </p>
      )}
      <div className="flex flex-wrap gap-2.5">{children}</div>
    </Card>
  )
}
