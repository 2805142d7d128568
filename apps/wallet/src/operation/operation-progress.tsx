import { Check } from 'lucide-react'
import type { Ref } from 'react'
import { Spinner } from '../ui/spinner.tsx'
import type { OperationStep } from './use-operation-flow.ts'

const stages = ['Signing with your passkey', 'Sending', 'Waiting for inclusion in a block'] as const

/** How far it is, in three stages. */
export function OperationProgress({
  ref,
  step,
  sent,
  unconfirmed,
}: {
  ref: Ref<HTMLDivElement>
  step: OperationStep
  sent: boolean
  /** The connection broke, and the service has not yet said whether it has the signature. */
  unconfirmed: boolean
}) {
  const current = step === 'signing' ? 0 : step === 'following' || sent ? 2 : 1
  return (
    <div ref={ref} tabIndex={-1} className="grid gap-3" role="status">
      <ol className="grid gap-2.5">
        {stages.map((stage, index) => (
          <li
            key={stage}
            aria-current={index === current ? 'step' : undefined}
            className={`flex items-center gap-3 text-sm ${index > current ? 'text-muted' : 'font-medium'}`}
          >
            <span className="grid size-5 place-items-center">
              {index < current ? (
                <Check className="size-4.5 text-accent" aria-label="done" />
              ) : index === current ? (
                <Spinner />
              ) : (
                <span className="size-1.5 rounded-full bg-strong-line" />
              )}
            </span>
            {stage}
          </li>
        ))}
      </ol>
      {step === 'following' && (
        <p className="text-muted text-sm">
          {unconfirmed
            ? 'The connection broke before the service answered. We are checking whether your signature arrived. Do not pay again before you know.'
            : 'Still pending. The service has your signature, so you can leave this page and follow it under Activity.'}
        </p>
      )}
    </div>
  )
}
