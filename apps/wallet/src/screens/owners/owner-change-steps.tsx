import { useQuery } from '@tanstack/react-query'
import type { Network } from '../../networks/use-networks.ts'
import { OperationReview } from '../../operation/operation-review.tsx'
import { usePrepareOperation } from '../../operation/use-prepare-operation.ts'
import { type OwnerChange, planOwnerChange } from '../../owners/owner-change.ts'
import { ownerAddress } from '../../owners/verify-owner-change.ts'
import { useSession } from '../../session/session-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { FullAddress } from '../../ui/full-address.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { NetworkChangeRow } from './network-change-row.tsx'

interface OwnerChangeStepsProps {
  readonly change: OwnerChange
  readonly networks: readonly Network[]
  readonly onClose: () => void
}

/** A change of owners, network by network: one signature on each, in any order, now or later. */
export function OwnerChangeSteps({ change, networks, onClose }: OwnerChangeStepsProps) {
  const { account } = useSession()
  const operation = usePrepareOperation()
  const owner = change.kind === 'add' ? ownerAddress(change.candidate) : change.owner
  const plan = useQuery({
    // Below "owners", so that an included operation asks again.
    queryKey: ['owners', account, change.kind, owner],
    queryFn: ({ signal }) => planOwnerChange(account, change, networks, signal),
  })
  if (operation.data)
    return (
      <OperationReview
        prepared={operation.data}
        onBack={operation.reset}
        next={<Button onClick={operation.reset}>Go on</Button>}
      />
    )

  const chosen = operation.variables?.network.chainId
  const finished = plan.data?.every(({ status }) => status === 'done')
  return (
    <Card className="grid gap-4 p-5">
      <div className="grid gap-2">
        <h2 className="font-semibold">{change.kind === 'add' ? 'Add an owner' : 'Remove an owner'}</h2>
        <FullAddress address={owner} />
        <p className="text-muted text-sm">
          {finished
            ? 'Done on every network.'
            : 'Owners are kept on each network. Sign on those that matter to you; you can come back for the others.'}
        </p>
      </div>
      {plan.error && !plan.data ? (
        <ErrorNotice error={plan.error} onRetry={() => void plan.refetch()} />
      ) : plan.data ? (
        <ul className="divide-y divide-line border-line border-y">
          {plan.data.map((step) => {
            const network = networks.find(({ chainId }) => chainId === step.chainId)
            return (
              network && (
                <NetworkChangeRow
                  key={step.chainId}
                  network={network}
                  status={step.status}
                  busy={operation.isPending && chosen === step.chainId}
                  error={chosen === step.chainId ? operation.error : null}
                  onSign={() => operation.mutate({ network, calls: step.calls })}
                  onCancel={operation.cancel}
                />
              )
            )
          })}
        </ul>
      ) : (
        <ListSkeleton label="Looking at the networks" />
      )}
      <Button look={finished ? 'primary' : 'secondary'} className="justify-self-start" onClick={onClose}>
        {finished ? 'Done' : 'Back to owners'}
      </Button>
    </Card>
  )
}
