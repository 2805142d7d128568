import { Button, Card } from '@lanyard/ui'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCancellableMutation } from '../../api/use-cancellable-mutation.ts'
import { enablingCall } from '../../guardians/enabling-call.ts'
import type { OwnershipStatus } from '../../guardians/use-ownership.ts'
import { t } from '../../i18n/t.ts'
import type { Network } from '../../networks/use-networks.ts'
import { OperationReview } from '../../operation/operation-review.tsx'
import { prepareOwnerChange } from '../../owners/owner-change.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { type NetworkRun, RunRow } from '../owners/run-row.tsx'

interface EnableRunProps {
  readonly status: OwnershipStatus
  readonly networks: readonly Network[]
  /** Whether guardians work nowhere yet. */
  readonly isFirst: boolean
  /** Goes on without the remaining networks. */
  readonly onLater?: (() => void) | undefined
}

/** Turns guardians on, network by network: an account does that once on each. Hidden where nothing is left to do. */
export function EnableRun({ status, networks, isFirst, onLater }: EnableRunProps) {
  const session = useSession()
  const queryClient = useQueryClient()
  const [signed, setSigned] = useState<readonly number[]>([])
  const operation = useCancellableMutation({
    mutationFn: async (signal, network: Network) => {
      const call = enablingCall(session.account, status, network)
      return prepareOwnerChange(session, network, call ? [call] : [], signal)
    },
  })
  const steps = status.networks.flatMap((step) => {
    const network = networks.find(({ chainId }) => chainId === step.network)
    return network && step.status !== 'unsupported' ? [{ ...step, network }] : []
  })
  const isDone = (step: (typeof steps)[number]) =>
    step.enabled === true || signed.includes(step.network.chainId)
  const open = steps.filter((step) => step.status === 'up' && !isDone(step))
  if (open.length === 0 && !operation.data) return null
  const current = operation.variables?.chainId
  const runOf = (step: (typeof steps)[number]): NetworkRun => {
    if (isDone(step)) return { state: 'done' }
    if (step.status === 'down') return { state: 'down' }
    if (step.network.chainId !== current) return { state: 'pending' }
    if (operation.data) return { state: 'signing' }
    if (operation.error) return { state: 'failed', error: operation.error }
    return { state: operation.isPending ? 'preparing' : 'pending' }
  }
  const goOn = (included: number) => {
    setSigned((last) => [...last, included])
    operation.reset()
    void queryClient.invalidateQueries({ queryKey: ['ownership', session.account] })
    const next = open.find(({ network }) => network.chainId !== included)
    if (next) operation.mutate(next.network)
  }
  const [next] = open
  return (
    <>
      <Card aria-labelledby="enable" className="grid gap-4 p-5">
        <h2 id="enable" className="font-semibold text-lg">
          {isFirst ? t('Turn guardians on') : t('Turn guardians on everywhere')}
        </h2>
        <p className="text-muted text-sm">
          {t(
            'Your account lets the guardians contract work once on each network. After that, one signature is enough for all.',
          )}
        </p>
        <ul aria-label={t('Networks')} className="divide-y divide-line border-line border-y">
          {steps.map((step) => (
            <RunRow
              key={step.network.chainId}
              network={step.network}
              run={runOf(step)}
              onSign={() => operation.mutate(step.network)}
              onCancel={operation.cancel}
            />
          ))}
        </ul>
        {next && !operation.data && (
          <div className="grid gap-2.5 sm:flex">
            <Button
              size="large"
              variant={isFirst || onLater ? 'primary' : 'secondary'}
              busy={operation.isPending}
              onClick={() => operation.mutate(next.network)}
            >
              {isFirst
                ? t('Start with {name}', { name: next.network.name })
                : t('Continue with {name}', { name: next.network.name })}
            </Button>
            {onLater && (
              <Button size="large" variant="secondary" onClick={onLater}>
                {t('Finish later')}
              </Button>
            )}
          </div>
        )}
      </Card>
      {operation.data && (
        <OperationReview
          key={operation.data.verified.userOpHash}
          prepared={operation.data}
          onBack={operation.reset}
          onIncluded={() => goOn(operation.data?.network.chainId ?? 0)}
          next={<Button onClick={operation.reset}>{t('Back to the list')}</Button>}
        />
      )}
    </>
  )
}
