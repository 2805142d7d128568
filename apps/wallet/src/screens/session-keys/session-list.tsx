import { shortKey } from '@lanyard/calls'
import type { SessionWarning } from '@lanyard/session-keys'
import { Button, Card, Details, Notice, Tag } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { rich, t } from '../../i18n/t.ts'
import { doNotAnswer } from '../../networks/name-networks.ts'
import type { Network } from '../../networks/use-networks.ts'
import { KeyName, SessionWords } from '../../operation/session-words.tsx'
import { browserKeyIds } from '../../session-keys/browser-key.ts'
import { type GrantedSession, isSubscription, warningsOf } from '../../session-keys/granted-session.ts'
import { knownApp } from '../../session-keys/known-apps.ts'
import type { SessionDraft } from '../../session-keys/session-draft.ts'
import {
  type GrantedSessions,
  hasSessionKeys,
  type SessionKeysNetwork,
  useSessionHistory,
} from '../../session-keys/use-sessions.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { EndedKeys } from './ended-keys.tsx'
import { SessionHistory } from './session-history.tsx'
import { SessionLeft } from './session-left.tsx'
import { TrySession } from './try-session.tsx'

interface SessionListProps {
  readonly granted: GrantedSessions
  readonly networks: readonly Network[]
  readonly onGrant: () => void
  readonly onRenew: (draft: SessionDraft) => void
  readonly onRevoke: (session: GrantedSession) => void
}

const subscriptionsFirst = (a: GrantedSession, b: GrantedSession) =>
  Number(isSubscription(b)) - Number(isSubscription(a))

/** Every session, grouped by network. */
export function SessionList({ granted, networks, onGrant, onRenew, onRevoke }: SessionListProps) {
  const { sessions, unavailable } = granted
  const made = useQuery({ queryKey: ['browser-keys'], queryFn: browserKeyIds, staleTime: 0 })
  const held = networks.filter(hasSessionKeys).flatMap((network) => {
    const own = sessions.filter(({ chainId }) => chainId === network.chainId)
    return own.length > 0 ? [{ network, own }] : []
  })
  return (
    <>
      {unavailable.length > 0 && (
        <Notice tone="warning">
          {rich('{outage}. Session keys there are not shown.', {
            outage: doNotAnswer(unavailable, networks),
          })}
        </Notice>
      )}
      <EndedKeys granted={granted} networks={networks} onRenew={onRenew} />
      {held.length === 0 ? (
        <NoSessions onGrant={onGrant} />
      ) : (
        <Button variant="secondary" className="justify-self-start" onClick={onGrant}>
          <Plus className="size-4" aria-hidden="true" />
          {t('Grant by hand')}
        </Button>
      )}
      {held.map(({ network, own }) => (
        <Card key={network.chainId} aria-labelledby={`sessions-${network.chainId}`}>
          <h2 id={`sessions-${network.chainId}`} className="border-line border-b px-5 py-4 font-semibold">
            {network.name}
          </h2>
          <ul className="divide-y divide-line">
            {own.toSorted(subscriptionsFirst).map((session) => (
              <SessionRow
                key={session.keyId}
                granted={session}
                network={network}
                madeHere={made.data?.includes(session.keyId) ?? false}
                onRevoke={() => onRevoke(session)}
              />
            ))}
          </ul>
        </Card>
      ))}
    </>
  )
}

/** Explains sessions to people who never had one. */
function NoSessions({ onGrant }: { onGrant: () => void }) {
  return (
    <Card aria-labelledby="no-sessions" className="grid gap-4 p-5 sm:p-6">
      <h2 id="no-sessions" className="font-semibold text-lg">
        {t('No app can act for you')}
      </h2>
      <p className="text-muted">
        {t(
          'A session key lets an app, such as a game, a subscription or an agent, act for your account. The app sends you a link. You see what it may do, how much it may spend and until when, and sign once.',
        )}
      </p>
      <ul className="grid list-disc gap-1.5 pl-5 text-muted text-sm">
        <li>{t('The network rejects everything beyond the limits, whoever holds the key.')}</li>
        <li>{t('A session key never reaches your owners, your combined balance or other session keys.')}</li>
        <li>{t('You can revoke it at any time with one signature.')}</li>
        <li>{t('The session keys contract is not audited yet. Keep the limits small.')}</li>
      </ul>
      <Button variant="secondary" className="justify-self-start" onClick={onGrant}>
        {t('Grant by hand')}
      </Button>
    </Card>
  )
}

const states = {
  active: { tone: 'good', label: t('Active') },
  pending: { tone: 'waiting', label: t('Not active yet') },
  expired: { tone: 'neutral', label: t('Expired') },
} as const

interface SessionRowProps {
  readonly granted: GrantedSession
  readonly network: SessionKeysNetwork
  /** True if this browser stores its key. */
  readonly madeHere: boolean
  readonly onRevoke: () => void
}

const warningTexts: Readonly<Record<SessionWarning, { title: string; text: string }>> = {
  'emptied-at-once': {
    title: t('It took a whole limit at once.'),
    text: t('Revoke it if you did not expect that: somebody else may have the key.'),
  },
  'fails-often': {
    title: t('Its transactions keep failing.'),
    text: t('The app may be broken, or somebody tries what the key may not do. Revoke it if you are unsure.'),
  },
}

/** One session: who may take what when, what it did, and its end. */
function SessionRow({ granted, network, madeHere, onRevoke }: SessionRowProps) {
  const { tone, label } = states[granted.state]
  const { account } = useSession()
  const app = knownApp(account, granted.chainId, granted.keyId)
  const [isRead, setRead] = useState(false)
  const isEmpty = granted.left.some((left) => left === 0n)
  // Whoever opens the screen is warned without opening the history.
  const isActive = granted.state === 'active'
  const history = useSessionHistory(granted.chainId, granted.keyId, isRead || isActive)
  const actions = history.data?.pages.flatMap((page) => page.history) ?? []
  return (
    <li className="grid gap-3 p-5">
      <div className="flex flex-wrap items-center gap-2">
        <Tag tone={tone}>{label}</Tag>
        {isSubscription(granted) && <Tag>{t('Subscription')}</Tag>}
        {isEmpty && <Tag tone="waiting">{t('Limit used up')}</Tag>}
        {madeHere && <Tag>{t('Key in this browser')}</Tag>}
      </div>
      {app && (
        <p className="wrap-anywhere grid">
          <span className="font-medium">{app.name}</span>
          <span className="text-muted text-sm">
            {rich('This is what the app calls itself: {origin}. Nobody checked it.', { origin: app.origin })}
          </span>
        </p>
      )}
      <KeyName keyId={granted.keyId} />
      {warningsOf(granted, actions).map((warning) => (
        <Notice key={warning} tone="warning" title={warningTexts[warning].title}>
          {warningTexts[warning].text}
        </Notice>
      ))}
      <SessionLeft granted={granted} currencies={network.currencies} />
      <Details summary={t('What it did')} onOpen={() => setRead(true)}>
        <SessionHistory history={history} network={network} />
      </Details>
      <Details summary={t('What it may do')}>
        <SessionWords session={granted.session} currencies={network.currencies} />
      </Details>
      {madeHere && granted.state === 'active' && (
        <Details summary={t('Try it')}>
          <TrySession network={network} keyId={granted.keyId} />
        </Details>
      )}
      <Button
        variant="secondary"
        size="small"
        className="justify-self-start"
        aria-label={t('Revoke session key {key} on {network}', {
          key: shortKey(granted.keyId),
          network: network.name,
        })}
        onClick={onRevoke}
      >
        {t('Revoke')}
      </Button>
    </li>
  )
}
