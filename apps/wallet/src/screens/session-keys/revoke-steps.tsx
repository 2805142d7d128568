import { Button, Card, ListSkeleton } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { rich, t } from '../../i18n/t.ts'
import { OperationReview } from '../../operation/operation-review.tsx'
import { usePrepareOperation } from '../../operation/prepare-operation.ts'
import { KeyName } from '../../operation/session-words.tsx'
import type { GrantedSession } from '../../session-keys/granted-session.ts'
import { forgetRequest } from '../../session-keys/known-apps.ts'
import type { SessionKeysNetwork } from '../../session-keys/use-sessions.ts'
import { planRevocation } from '../../session-keys/verify-revocation.ts'
import { useSession } from '../../sign-in/session-context.tsx'

interface RevokeStepsProps {
  readonly session: GrantedSession
  readonly network: SessionKeysNetwork
  readonly onClose: () => void
}

/**
 * Ends a session: its review opens at once, and one touch of the passkey ends it. The last one takes the contract out
 * of the account, too; back from the review, the person can revoke only.
 */
export function RevokeSteps({ session: { keyId }, network, onClose }: RevokeStepsProps) {
  const { account } = useSession()
  const operation = usePrepareOperation()
  const plan = useQuery({
    // The key does not start with "sessions": after inclusion there is nothing left to plan.
    queryKey: ['revocation', account, network.chainId, keyId],
    queryFn: ({ signal }) => planRevocation(account, network, keyId, signal),
    staleTime: 0,
    gcTime: 0,
  })
  const started = useRef(false)
  const { mutate } = operation
  useEffect(() => {
    if (!plan.data || started.current) return
    started.current = true
    mutate({ network, calls: [plan.data.revoke, ...plan.data.removal] })
  }, [plan.data, mutate, network])
  if (operation.data)
    return (
      <OperationReview
        prepared={operation.data}
        onBack={operation.reset}
        onSent={() => forgetRequest(account, network.chainId, keyId)}
        next={<Button onClick={onClose}>{t('See your session keys')}</Button>}
      />
    )
  if (plan.error)
    return (
      <>
        <ErrorNotice error={plan.error} onRetry={() => void plan.refetch()} />
        <Button variant="secondary" className="justify-self-start" onClick={onClose}>
          {t('Back to session keys')}
        </Button>
      </>
    )
  if (!plan.data || (operation.isPending && !operation.error)) return <ListSkeleton label={t('Preparing')} />

  const { revoke, removal } = plan.data
  const isLast = removal.length > 0
  const review = (calls: Parameters<typeof operation.mutate>[0]['calls']) =>
    operation.mutate({ network, calls })
  return (
    <Card aria-labelledby="revoke" className="grid gap-4 p-5 sm:p-6">
      <h2 id="revoke" className="font-semibold text-lg">
        {rich('Revoke a session key on {network}', { network: network.name })}
      </h2>
      <KeyName keyId={keyId} />
      <p className="text-muted text-sm">
        {t(
          'The key stops working as soon as this is included in a block. Its pending transactions then fail.',
        )}
        {isLast && ' '}
        {isLast &&
          t('It is the last one here, so you can remove the session keys contract from your account, too.')}
      </p>
      {operation.error && <ErrorNotice error={operation.error} />}
      <div className="flex flex-wrap gap-2.5">
        <Button busy={operation.isPending} onClick={() => review([revoke, ...removal])}>
          {isLast ? t('Revoke and remove the contract') : t('Review')}
        </Button>
        {isLast && (
          <Button variant="secondary" busy={operation.isPending} onClick={() => review([revoke])}>
            {t('Revoke only')}
          </Button>
        )}
        <Button variant="secondary" onClick={onClose}>
          {t('Back')}
        </Button>
      </div>
    </Card>
  )
}
