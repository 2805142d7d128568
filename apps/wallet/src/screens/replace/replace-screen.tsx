import { Button, EmptyState, ListSkeleton, Screen } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { t } from '../../i18n/t.ts'
import { type Network, useNetworks } from '../../networks/use-networks.ts'
import { OperationReview } from '../../operation/operation-review.tsx'
import { prepareOperation, type ReplacedOperation } from '../../operation/prepare-operation.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { type Replaceable, trackedOperations } from '../../sign-in/tracked-operations.ts'

/** Signs an operation that takes the place of a pending one: the same calls for a higher fee, or nothing. */
export function ReplaceScreen() {
  const { userOpHash = '', how = '' } = useParams()
  return <ReplaceOne key={`${userOpHash} ${how}`} userOpHash={userOpHash} how={how} />
}

function ReplaceOne({ userOpHash, how }: { userOpHash: string; how: string }) {
  const networks = useNetworks()
  // The pending operation leaves the tray once the new one takes its place.
  const [tracked] = useState(() => trackedOperations.find(userOpHash))
  const isCancel = how === 'cancel'
  const network = networks.data?.find(({ chainId }) => chainId === tracked?.replaceable?.chainId)
  return (
    <Screen title={isCancel ? t('Cancel payment') : t('Speed up payment')} narrow>
      {networks.error ? (
        <ErrorNotice error={networks.error} onRetry={() => void networks.refetch()} />
      ) : !networks.data ? (
        <ListSkeleton label={t('Loading the networks')} />
      ) : tracked?.replaceable && network ? (
        <Replacement
          network={network}
          pending={tracked.replaceable}
          replaced={{
            userOpHash: tracked.userOpHash,
            nonce: BigInt(tracked.replaceable.nonce),
            maxFee: BigInt(tracked.replaceable.maxFee),
            summary: tracked.summary,
            how: isCancel ? 'cancel' : 'faster',
          }}
        />
      ) : (
        <EmptyState
          title={t('This payment is not pending any more')}
          action={
            <Button asChild variant="secondary">
              <Link to="/activity">{t('See activity')}</Link>
            </Button>
          }
        >
          {t('Only a payment that you signed in this tab, and that is not in a block yet, can be replaced.')}
        </EmptyState>
      )}
    </Screen>
  )
}

interface ReplacementProps {
  readonly network: Network
  readonly pending: Replaceable
  readonly replaced: ReplacedOperation
}

function Replacement({ network, pending, replaced }: ReplacementProps) {
  const session = useSession()
  const navigate = useNavigate()
  const { account } = session
  const operation = useQuery({
    queryKey: ['replacement', replaced.userOpHash, replaced.how],
    queryFn: ({ signal }) => {
      // A cancellation needs the nonce and no effect: the account sends nothing to itself.
      const calls =
        replaced.how === 'cancel'
          ? [{ to: account, value: 0n, data: '0x' } as const]
          : pending.calls.map(({ to, value, data }) => ({ to, value: BigInt(value), data }))
      return prepareOperation(session, network, calls, signal, undefined, replaced)
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
  if (operation.error) return <ErrorNotice error={operation.error} onRetry={() => void operation.refetch()} />
  if (!operation.data) return <ListSkeleton label={t('Preparing the transaction')} />
  return (
    <OperationReview
      prepared={operation.data}
      onBack={() => void navigate('/activity')}
      next={
        <Button asChild>
          <Link to="/activity">{t('See activity')}</Link>
        </Button>
      }
    />
  )
}
