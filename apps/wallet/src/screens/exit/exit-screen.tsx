import { Button, ListSkeleton, Screen, useStoredDraft } from '@lanyard/ui'
import { Link } from 'react-router'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { t } from '../../i18n/t.ts'
import { hasSmartBalance, useNetworks } from '../../networks/use-networks.ts'
import { OperationReview } from '../../operation/operation-review.tsx'
import { usePrepareOperation } from '../../operation/prepare-operation.ts'
import { useActivity } from '../../operation/use-activity.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { NoSmartBalance } from '../../smart-balance/no-smart-balance.tsx'
import { PendingNotes, pendingSteps } from '../../smart-balance/pending-notes.tsx'
import { useDeposits } from '../../smart-balance/use-deposits.ts'
import { type ExitAmounts, ExitList } from './exit-list.tsx'

/** A withdrawal that needs nobody's consent. Its calls are encoded here, without the service. */
export function ExitScreen() {
  const networks = useNetworks()
  const deposits = useDeposits()
  const operation = usePrepareOperation()
  const { account } = useSession()
  const amounts = useStoredDraft<ExitAmounts>(`exit.${account}`, {})
  const activity = useActivity()
  const operations = activity.data?.pages.flatMap((page) => page.activity) ?? []
  const pending = pendingSteps(operations, networks.data ?? [], account).map(({ network }) => network.chainId)
  const taking = networks.data?.filter(hasSmartBalance)
  const error = networks.error ?? (deposits.data ? null : deposits.error)
  return (
    <Screen title={t('Withdraw')} narrow intro={t('From the combined balance back to your account.')}>
      {error ? (
        <ErrorNotice
          error={error}
          onRetry={() => void Promise.all([networks.refetch(), deposits.refetch()])}
        />
      ) : taking?.length === 0 ? (
        <NoSmartBalance />
      ) : !taking || !deposits.data ? (
        <ListSkeleton label={t('Loading your deposits')} />
      ) : operation.data ? (
        <OperationReview
          prepared={operation.data}
          onBack={operation.reset}
          onSent={() => amounts.change({ [operation.data.network.chainId]: undefined })}
          next={
            <>
              <Button onClick={operation.reset}>{t('Continue')}</Button>
              <Button asChild variant="secondary">
                <Link to="/">{t('Home')}</Link>
              </Button>
            </>
          }
        />
      ) : (
        <>
          <PendingNotes />
          <ExitList
            networks={taking}
            deposits={deposits.data}
            amounts={amounts.draft}
            onAmounts={amounts.change}
            onReview={(network, call) => operation.mutate({ network, calls: [call] })}
            onCancel={operation.cancel}
            pending={pending}
            chosen={operation.variables?.network.chainId}
            busy={operation.isPending}
            error={operation.error}
          />
        </>
      )}
    </Screen>
  )
}
