import { sessionKeyId } from '@lanyard/session-keys'
import { Button, Card, Details, ListSkeleton, Screen } from '@lanyard/ui'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { concat } from 'viem'
import { findSessionRisks } from '../calls/session-risks.ts'
import { touchConnection } from '../connections/connections.ts'
import { rememberRequester } from '../connections/requesters.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { useBalances, useHoldings } from '../holdings/use-balances.ts'
import { t } from '../i18n/t.ts'
import { OperationFacts } from '../operation/operation-facts.tsx'
import { prepareOperation } from '../operation/prepare-operation.ts'
import { RiskNotices } from '../operation/risk-notices.tsx'
import { KeyName, SessionWords } from '../operation/session-words.tsx'
import { rememberApp } from '../session-keys/known-apps.ts'
import { planGrant } from '../session-keys/plan-grant.ts'
import { RequestedLimits } from '../session-keys/requested-limits.tsx'
import type { KnownAccount } from '../sign-in/known-account.ts'
import { useSession } from '../sign-in/session-context.tsx'
import { ConfirmButtons } from './confirm-buttons.tsx'
import type { WalletRequest } from './read-request.ts'
import { sendPrepared } from './send-prepared.ts'

interface PermissionsScreenProps {
  readonly origin: string
  readonly account: KnownAccount
  readonly requested: Extract<WalletRequest, { kind: 'permissions' }>
  /** Says which page asks. */
  readonly requester: ReactNode
  readonly onDone: (result: unknown) => void
  readonly onDecline: () => void
}

/** A page's request for a session key (`wallet_grantPermissions`): its limits, its risks, and the operation that grants it. */
export function PermissionsScreen({
  origin,
  account,
  requested: { network, grant, answer },
  requester,
  onDone,
  onDecline,
}: PermissionsScreenProps) {
  const session = useSession()
  const held = useHoldings(network)
  // What the account holds decides which warnings there are.
  const isReading = useBalances().isPending
  const keyId = sessionKeyId(grant.key)
  const prepared = useQuery({
    queryKey: ['connect-grant'],
    queryFn: async ({ signal }) => {
      const calls = await planGrant(account.account, network, grant, signal)
      return prepareOperation(session, network, calls, signal)
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnReconnect: false,
  })
  const send = useMutation({
    mutationFn: async () => {
      if (!prepared.data) return
      const id = await sendPrepared(account, prepared.data)
      rememberRequester(account.account, prepared.data.verified.userOpHash, origin)
      rememberApp(account.account, network.chainId, keyId, { name: new URL(origin).host, origin })
      touchConnection(origin)
      onDone({ ...answer, context: concat([network.sessionKeys, keyId]), callsId: id })
    },
  })
  const error = prepared.error ?? send.error
  return (
    <Screen title={t('Allow a session key')}>
      {requester}
      <Card className="grid gap-5 p-5">
        {!prepared.data && <RiskNotices risks={findSessionRisks(grant.session, network.currencies, held)} />}
        <section aria-labelledby="limits" className="grid gap-3">
          <h2 id="limits" className="font-medium">
            {t('Limits on {network}', { network: network.name })}
          </h2>
          <RequestedLimits session={grant.session} currencies={network.currencies} held={held} />
        </section>
        {/* Once it is prepared, its bytes say the same: key, words and risks. */}
        {prepared.data ? (
          <OperationFacts prepared={prepared.data} />
        ) : (
          <>
            <section aria-labelledby="may" className="grid gap-3">
              <h2 id="may" className="font-medium">
                {t('It may do this without asking you, and nothing else')}
              </h2>
              <SessionWords session={grant.session} currencies={network.currencies} />
            </section>
            <Details summary={t('Key')}>
              <KeyName keyId={keyId} />
            </Details>
            {!prepared.error && <ListSkeleton label={t('Preparing the transaction')} />}
          </>
        )}
      </Card>
      {error && (
        <ErrorNotice
          error={error}
          onRetry={() => {
            send.reset()
            void prepared.refetch()
          }}
        />
      )}
      {prepared.data && !prepared.isFetching && !isReading ? (
        <ConfirmButtons
          label={send.isPending ? t('Sending') : t('Allow with passkey')}
          onConfirm={send.mutate}
          onDecline={onDecline}
          busy={send.isPending}
        />
      ) : (
        <Button size="large" variant="secondary" onClick={onDecline}>
          {t('Decline')}
        </Button>
      )}
    </Screen>
  )
}
