import { rich, t } from '../../i18n/t.ts'
import { useSession } from '../../session/session-context.tsx'
import type { GrantedSession } from '../../sessions/granted-session.ts'
import { shortKey } from '../../sessions/key-id.ts'
import { KeyName } from '../../sessions/key-name.tsx'
import { knownApp } from '../../sessions/known-apps.ts'
import type { SessionKeysNetwork } from '../../sessions/session-keys-network.ts'
import { SessionWords } from '../../sessions/session-words.tsx'
import { Button } from '../../ui/button.tsx'
import { Details } from '../../ui/details.tsx'
import { Tag } from '../../ui/tag.tsx'
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

/** One session: its key, its remaining limits and its permissions. */
export function SessionRow({ granted, network, madeHere, onRevoke }: SessionRowProps) {
  const { tone, label } = states[granted.state]
  const { account } = useSession()
  const app = knownApp(account, granted.chainId, granted.keyId)
  return (
    <li className="grid gap-3 p-5">
      <div className="flex flex-wrap items-center gap-2">
        <Tag tone={tone}>{label}</Tag>
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
      <SessionLeft granted={granted} currencies={network.currencies} />
      <Details summary={t('What it may do')}>
        <SessionWords session={granted.session} currencies={network.currencies} />
      </Details>
      {madeHere && granted.state === 'active' && (
        <Details summary={t('Try it')}>
          <TrySession network={network} keyId={granted.keyId} />
        </Details>
      )}
      <Button
        look="danger"
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
