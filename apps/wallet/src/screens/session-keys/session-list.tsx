import { Button, Card, Notice } from '@lanyard/ui'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { rich, t } from '../../i18n/t.ts'
import { doNotAnswer } from '../../networks/do-not-answer.ts'
import type { Network } from '../../networks/use-networks.ts'
import { browserKeyIds } from '../../session-keys/browser-key.ts'
import { type GrantedSession, isSubscription } from '../../session-keys/granted-session.ts'
import type { SessionDraft } from '../../session-keys/session-draft.ts'
import { hasSessionKeys } from '../../session-keys/session-keys-network.ts'
import type { GrantedSessions } from '../../session-keys/use-sessions.ts'
import { EndedKeys } from './ended-keys.tsx'
import { NoSessions } from './no-sessions.tsx'
import { SessionRow } from './session-row.tsx'

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
