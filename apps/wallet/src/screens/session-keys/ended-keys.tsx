import { Button, Card } from '@lanyard/ui'
import { useState } from 'react'
import { Link } from 'react-router'
import { rich, t } from '../../i18n/t.ts'
import type { Network } from '../../networks/use-networks.ts'
import { KeyName } from '../../operation/session-words.tsx'
import { findEndedKeys, forgetRequest } from '../../session-keys/known-apps.ts'
import type { SessionDraft } from '../../session-keys/session-draft.ts'
import type { GrantedSessions } from '../../session-keys/use-sessions.ts'
import { useSession } from '../../sign-in/session-context.tsx'

interface EndedKeysProps {
  readonly granted: GrantedSessions
  readonly networks: readonly Network[]
  /** Opens the form of a key that was granted by hand. */
  readonly onRenew: (draft: SessionDraft) => void
}

/** Keys that ended before their time, each with what grants it once more. Hidden if there are none. */
export function EndedKeys({ granted, networks, onRenew }: EndedKeysProps) {
  const { account } = useSession()
  const [, setForgotten] = useState(0)
  const ended = findEndedKeys(account, granted, Math.floor(Date.now() / 1_000)).flatMap((key) => {
    const network = networks.find(({ chainId }) => chainId === key.chainId)
    return network ? [{ ...key, network }] : []
  })
  if (ended.length === 0) return null
  return (
    <Card aria-labelledby="ended-keys">
      <div className="grid gap-1.5 border-line border-b px-5 py-4">
        <h2 id="ended-keys" className="font-semibold">
          {t('Ended before their time')}
        </h2>
        <p className="text-muted text-sm">
          {t('When an owner leaves, all session keys end. Renew those that you still want.')}
        </p>
      </div>
      <ul className="divide-y divide-line">
        {ended.map((key) => {
          const { network, keyId } = key
          const name = key.app?.name ?? t('the key granted by hand')
          const renewal = t('Renew {name} on {network}', { name, network: network.name })
          return (
            <li
              key={`${network.chainId} ${keyId}`}
              className="flex flex-wrap items-center justify-between gap-3 px-5 py-4"
            >
              <span className="wrap-anywhere grid min-w-0 flex-1">
                {key.app ? <span className="font-medium">{name}</span> : <KeyName keyId={keyId} />}
                <span className="text-muted text-sm">
                  {rich('{origin} on {network}', {
                    origin: key.app?.origin ?? t('Granted by hand'),
                    network: network.name,
                  })}
                </span>
              </span>
              <span className="flex gap-2.5">
                {key.app ? (
                  <Button asChild variant="secondary" size="small">
                    <Link to={{ pathname: '/sessions/request', hash: key.fragment }} aria-label={renewal}>
                      {t('Renew')}
                    </Link>
                  </Button>
                ) : (
                  <Button
                    variant="secondary"
                    size="small"
                    aria-label={renewal}
                    onClick={() => onRenew(key.draft)}
                  >
                    {t('Renew')}
                  </Button>
                )}
                <Button
                  variant="secondary"
                  size="small"
                  aria-label={t('Forget {name} on {network}', { name, network: network.name })}
                  onClick={() => {
                    forgetRequest(account, network.chainId, keyId)
                    setForgotten((count) => count + 1)
                  }}
                >
                  {t('Forget')}
                </Button>
              </span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
