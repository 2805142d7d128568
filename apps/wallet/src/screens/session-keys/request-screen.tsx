import { sessionKeyId } from '@lanyard/session-keys'
import { Button, Card, Details, ListSkeleton, Notice, Screen } from '@lanyard/ui'
import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { findSessionRisks } from '../../calls/session-risks.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useBalances, useHoldings } from '../../holdings/use-balances.ts'
import { rich, t } from '../../i18n/t.ts'
import { useNetworks } from '../../networks/use-networks.ts'
import { OperationReview } from '../../operation/operation-review.tsx'
import { RiskNotices } from '../../operation/risk-notices.tsx'
import { KeyName, SessionWords } from '../../operation/session-words.tsx'
import { rememberApp } from '../../session-keys/known-apps.ts'
import { useGrant } from '../../session-keys/plan-grant.ts'
import { RequestedLimits } from '../../session-keys/requested-limits.tsx'
import {
  readSessionRequest,
  type SessionRequest,
  toGrantRequest,
} from '../../session-keys/session-request.ts'
import { hasSessionKeys, type SessionKeysNetwork, useSessions } from '../../session-keys/use-sessions.ts'
import { useSession } from '../../sign-in/session-context.tsx'

/** Shows an app's request for a session key, opened from a link, before anything is built. */
export function RequestScreen() {
  const { hash } = useLocation()
  const networks = useNetworks()
  const read = readSessionRequest(hash)
  const network = read.ok
    ? networks.data?.filter(hasSessionKeys).find(({ chainId }) => chainId === read.request.chainId)
    : undefined
  return (
    <Screen title={t('Session key request')} narrow>
      {!read.ok ? (
        <BadLink message={read.message} />
      ) : networks.error ? (
        <ErrorNotice error={networks.error} onRetry={() => void networks.refetch()} />
      ) : !networks.data ? (
        <ListSkeleton label={t('Reading the request')} />
      ) : !network ? (
        <BadLink message={t('This wallet does not offer session keys on the network that the link names.')} />
      ) : (
        // Another link is another request, so the state of the previous one is discarded.
        <Request key={hash} request={read.request} network={network} />
      )}
    </Screen>
  )
}

function BadLink({ message }: { message: string }) {
  return (
    <Notice
      tone="error"
      title={t('This link cannot be used.')}
      action={
        <Button asChild variant="secondary">
          <Link to="/sessions">{t('See your session keys')}</Link>
        </Button>
      }
    >
      {rich('{message} Nothing was changed. Ask the app for a new link, and only if you trust it.', {
        message,
      })}
    </Notice>
  )
}

function Request({ request, network }: { request: SessionRequest; network: SessionKeysNetwork }) {
  const { account } = useSession()
  const { hash } = useLocation()
  const navigate = useNavigate()
  const sessions = useSessions()
  const grant = useGrant()
  const held = useHoldings(network)
  // What the account holds, and what the key may do already, decide which warnings there are. They also move the buttons.
  const isReading = useBalances().isPending || sessions.isPending
  const [now] = useState(() => Math.floor(Date.now() / 1_000))
  const compiled = toGrantRequest(request, { account, network, now })
  if (!compiled.ok)
    return <BadLink message={t('A limit in it is not valid: {text}', { text: compiled.message })} />
  const keyId = sessionKeyId(request.key)
  const { session } = compiled.grant
  const risks = findSessionRisks(session, network.currencies, held)
  const isTaken = sessions.data?.sessions.some(
    (granted) => granted.chainId === network.chainId && granted.keyId === keyId,
  )
  if (grant.data)
    return (
      <OperationReview
        prepared={grant.data}
        onBack={grant.reset}
        onSent={() =>
          rememberApp(account, network.chainId, keyId, request, { fragment: hash, grantedAt: now })
        }
        next={
          <>
            <Button asChild>
              <a href={request.origin} rel="noreferrer">
                {rich('Back to {host}', { host: new URL(request.origin).host })}
              </a>
            </Button>
            <Button asChild variant="secondary">
              <Link to="/sessions">{t('See your session keys')}</Link>
            </Button>
          </>
        }
      />
    )
  return (
    <Card aria-labelledby="request" className="grid gap-5 p-5 sm:p-6">
      <div className="grid gap-1">
        <h2 id="request" className="wrap-anywhere font-semibold text-lg">
          {rich('An app that claims to be “{request}” asks to act for you', { request: request.name })}
        </h2>
        <p className="wrap-anywhere text-muted text-sm">
          {rich('It claims to be at {origin} · {network}', { origin: request.origin, network: network.name })}
        </p>
      </div>
      <Notice tone="warning" title={t('Did you just come from this app?')}>
        {t(
          'Anyone can write such a link under any name and address, and the wallet cannot check who did. Go on only if you started this yourself.',
        )}
      </Notice>
      <RiskNotices risks={risks} />
      {isTaken && (
        <Notice
          tone="warning"
          title={t('This key already has access on {network}.', { network: network.name })}
        >
          {t('The new limits replace the old ones.')}
        </Notice>
      )}
      <section aria-labelledby="limits" className="grid gap-3">
        <h3 id="limits" className="font-medium">
          {t('Limits')}
        </h3>
        <RequestedLimits session={session} currencies={network.currencies} held={held} />
      </section>
      <section aria-labelledby="may" className="grid gap-3">
        <h3 id="may" className="font-medium">
          {t('It may do this without asking you, and nothing else')}
        </h3>
        <SessionWords session={session} currencies={network.currencies} />
      </section>
      <Details summary={t('Key')}>
        <KeyName keyId={keyId} />
      </Details>
      {grant.error && <ErrorNotice error={grant.error} />}
      <div className="grid gap-2.5 sm:flex">
        <Button
          size="large"
          busy={grant.isPending || isReading}
          onClick={() => grant.mutate({ network, request: compiled.grant })}
        >
          {grant.isPending ? t('Preparing…') : t('Review')}
        </Button>
        <Button
          size="large"
          variant="secondary"
          onClick={() => {
            grant.cancel()
            void navigate('/sessions', { replace: true })
          }}
        >
          {t('Decline')}
        </Button>
      </div>
    </Card>
  )
}
