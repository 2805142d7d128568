import { CopyButton, Elapsed, Spinner } from '@lanyard/ui'
import { Check } from 'lucide-react'
import type { Ref } from 'react'
import { rich, t } from '../i18n/t.ts'
import { expectedInclusion } from './inclusion-times.ts'
import type { PreparedOperation } from './prepare-operation.ts'
import type { OperationStep } from './use-operation-flow.ts'

const stages = [t('Signing with your passkey'), t('Sending'), t('Waiting for inclusion in a block')] as const

interface OperationProgressProps {
  readonly ref: Ref<HTMLDivElement>
  readonly prepared: PreparedOperation
  readonly step: OperationStep
  readonly sent: boolean
  /** When it was signed, milliseconds since 1970. */
  readonly signedAt: number | undefined
  /** The connection broke, and the service has not yet confirmed that it has the signature. */
  readonly unconfirmed: boolean
}

/** Progress in three stages, with the usual duration and the operation's hash. */
export function OperationProgress({
  ref,
  prepared: { network, verified },
  step,
  sent,
  signedAt,
  unconfirmed,
}: OperationProgressProps) {
  // Until the service answers, nobody knows whether it was sent.
  const current = step === 'signing' ? 0 : !unconfirmed && (step === 'following' || sent) ? 2 : 1
  const { userOpHash } = verified
  return (
    <div className="grid gap-3">
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
                  <Check className="size-4.5 text-accent" role="img" aria-label={t('Done:')} />
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
              ? t(
                  'The connection broke before the service answered. We are checking whether your signature arrived. Do not pay again before you know.',
                )
              : t(
                  'Still pending. The service has your signature, so you can leave this page and follow it under Activity.',
                )}
          </p>
        )}
      </div>
      {signedAt !== undefined && (
        <>
          <p className="text-muted text-sm">
            {rich('{elapsed} so far, {expected} on {network}', {
              elapsed: <Elapsed since={signedAt} />,
              expected: expectedInclusion(network.chainId),
              network: network.name,
            })}
          </p>
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <p className="min-w-0 text-muted text-sm">
              {rich('User operation {code}', {
                code: (
                  <code className="break-all font-mono text-xs" title={userOpHash}>
                    {userOpHash.slice(0, 10)}…{userOpHash.slice(-8)}
                  </code>
                ),
              })}
            </p>
            <CopyButton text={userOpHash} label={t('Copy the hash of the user operation')} />
          </div>
        </>
      )}
    </div>
  )
}
