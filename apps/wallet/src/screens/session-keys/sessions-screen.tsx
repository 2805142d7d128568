import { sessionKeyId } from '@lanyard/session-keys'
import { Button, EmptyState, ListSkeleton, Screen, useStoredDraft } from '@lanyard/ui'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { t } from '../../i18n/t.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { OperationReview } from '../../operation/operation-review.tsx'
import type { GrantedSession } from '../../session-keys/granted-session.ts'
import { rememberDraft } from '../../session-keys/known-apps.ts'
import { useGrant } from '../../session-keys/plan-grant.ts'
import { emptySessionDraft } from '../../session-keys/session-draft.ts'
import { hasSessionKeys, useSessions } from '../../session-keys/use-sessions.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { AppTabs } from '../apps/app-tabs.tsx'
import { GrantForm } from './grant-form.tsx'
import { RevokeSteps } from './revoke-steps.tsx'
import { SessionList } from './session-list.tsx'

/** Lists session keys, and grants or revokes them. */
export function SessionsScreen() {
  const networks = useNetworks()
  const sessions = useSessions()
  const grant = useGrant()
  const { account } = useSession()
  const { draft, change, forget } = useStoredDraft(`grant.${account}`, emptySessionDraft)
  // Part of the URL, so that a reload shows the form again and Back leaves it.
  const [search, setSearch] = useSearchParams()
  const granting = search.has('grant')
  const [revoking, setRevoking] = useState<GrantedSession>()
  const offered = networks.data?.filter(hasSessionKeys)
  const error = networks.error ?? (sessions.data ? null : sessions.error)
  const network = offered?.find(({ chainId }) => chainId === revoking?.chainId)
  const finish = () => {
    change(emptySessionDraft)
    grant.cancel()
    setSearch({}, { replace: true })
  }
  return (
    <Screen
      title={t('Session keys')}
      narrow
      above={<AppTabs />}
      intro={t('Let an app act for you within limits that you sign. The network enforces them.')}
    >
      {error ? (
        <ErrorNotice
          error={error}
          onRetry={() => void Promise.all([networks.refetch(), sessions.refetch()])}
        />
      ) : offered?.length === 0 ? (
        <EmptyState title={t('No session keys here')}>
          {t('None of this service’s networks supports them.')}
        </EmptyState>
      ) : !offered || !sessions.data ? (
        <ListSkeleton label={t('Loading your session keys')} />
      ) : grant.data ? (
        <OperationReview
          prepared={grant.data}
          onBack={grant.reset}
          onSent={() => {
            const { network: chosen, request } = grant.variables ?? {}
            const now = Math.floor(Date.now() / 1_000)
            if (chosen && request)
              rememberDraft(account, chosen.chainId, sessionKeyId(request.key), draft, now)
            forget()
          }}
          next={<Button onClick={finish}>{t('See your session keys')}</Button>}
        />
      ) : revoking && network ? (
        <RevokeSteps session={revoking} network={network} onClose={() => setRevoking(undefined)} />
      ) : granting ? (
        <GrantForm
          networks={offered}
          granted={sessions.data.sessions}
          draft={draft}
          onDraft={change}
          onReview={grant.mutate}
          onChange={grant.reset}
          onCancel={finish}
          busy={grant.isPending}
          error={grant.error}
        />
      ) : (
        <SessionList
          granted={sessions.data}
          networks={networks.data ?? []}
          onGrant={() => setSearch({ grant: '' })}
          onRenew={(ended) => {
            change(ended)
            setSearch({ grant: '' })
          }}
          onRevoke={setRevoking}
        />
      )}
    </Screen>
  )
}
