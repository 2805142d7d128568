import { useState } from 'react'
import { Link } from 'react-router'
import { rich, t } from '../../i18n/t.ts'
import type { Network } from '../../networks/use-networks.ts'
import { findEndedApps, forgetRequest } from '../../session-keys/known-apps.ts'
import type { GrantedSessions } from '../../session-keys/use-sessions.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

interface EndedAppsProps {
  readonly granted: GrantedSessions
  readonly networks: readonly Network[]
}

/** Apps whose keys ended before their time, each with its request, to grant it once more. Hidden if there are none. */
export function EndedApps({ granted, networks }: EndedAppsProps) {
  const { account } = useSession()
  const [, setForgotten] = useState(0)
  const ended = findEndedApps(account, granted, Math.floor(Date.now() / 1_000)).flatMap((app) => {
    const network = networks.find(({ chainId }) => chainId === app.chainId)
    return network ? [{ ...app, network }] : []
  })
  if (ended.length === 0) return null
  return (
    <Card aria-labelledby="ended-apps">
      <div className="grid gap-1.5 border-line border-b px-5 py-4">
        <h2 id="ended-apps" className="font-semibold">
          {t('Ended before their time')}
        </h2>
        <p className="text-muted text-sm">
          {t('When an owner leaves, all session keys end. Renew those that you still want.')}
        </p>
      </div>
      <ul className="divide-y divide-line">
        {ended.map(({ name, origin, network, keyId, fragment }) => (
          <li
            key={`${network.chainId} ${keyId}`}
            className="flex flex-wrap items-center justify-between gap-3 px-5 py-4"
          >
            <span className="wrap-anywhere grid min-w-0 flex-1">
              <span className="font-medium">{name}</span>
              <span className="text-muted text-sm">
                {rich('{origin} on {network}', { origin, network: network.name })}
              </span>
            </span>
            <span className="flex gap-2.5">
              <Button asChild variant="secondary" size="small">
                <Link
                  to={{ pathname: '/sessions/request', hash: fragment }}
                  aria-label={t('Renew {name} on {network}', { name, network: network.name })}
                >
                  {t('Renew')}
                </Link>
              </Button>
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
        ))}
      </ul>
    </Card>
  )
}
