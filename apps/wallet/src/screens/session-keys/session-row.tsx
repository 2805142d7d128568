import type { SessionWarning } from '@lanyard/session-keys'
import { Button, Details, Notice, Tag } from '@lanyard/ui'
import { useState } from 'react'
import { shortKey } from '../../calls/key-id.ts'
import { rich, t } from '../../i18n/t.ts'
import { KeyName } from '../../operation/key-name.tsx'
import { SessionWords } from '../../operation/session-words.tsx'
import { type GrantedSession, isSubscription, warningsOf } from '../../session-keys/granted-session.ts'
import { knownApp } from '../../session-keys/known-apps.ts'
import type { SessionKeysNetwork } from '../../session-keys/session-keys-network.ts'
import { useSessionHistory } from '../../session-keys/use-session-history.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { SessionHistory } from './session-history.tsx'
import { SessionLeft } from './session-left.tsx'
import { TrySession } from './try-session.tsx'

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
export function SessionRow({ granted, network, madeHere, onRevoke }: SessionRowProps) {
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
        variant="danger"
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
