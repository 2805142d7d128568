import { Button, Card, EmptyState, Screen, Time } from '@lanyard/ui'
import { type Connection, revokeOrigin, useConnections } from '../../connections/connections.ts'
import { rich, t } from '../../i18n/t.ts'
import { useSession } from '../../sign-in/session-context.tsx'
import { AppTabs } from '../apps/app-tabs.tsx'

/** Pages that may request this account's signatures. */
export function ConnectionsScreen() {
  const { account } = useSession()
  const connections = useConnections()
    .filter((connection) => connection.account === account)
    .toSorted((a, b) => b.lastUsed - a.lastUsed)
  return (
    <Screen
      title={t('Connected apps')}
      narrow
      above={<AppTabs />}
      intro={t('They see your account’s address and can ask you to sign. They can’t move money.')}
    >
      {connections.length === 0 ? (
        <EmptyState title={t('No app is connected')}>
          {t('Apps that you connect in this browser appear here, and you can disconnect them.')}
        </EmptyState>
      ) : (
        <Card>
          <ul className="divide-y divide-line">
            {connections.map((connection) => (
              <ConnectionRow key={connection.origin} connection={connection} />
            ))}
          </ul>
        </Card>
      )}
    </Screen>
  )
}

function ConnectionRow({ connection: { origin, since, lastUsed } }: { connection: Connection }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-4">
      <div className="min-w-0">
        <p className="wrap-anywhere font-medium" translate="no">
          {origin}
        </p>
        <p className="text-muted text-sm">
          {rich('Since {time}, last used {time2}', {
            time: <Time at={new Date(since).toISOString()} />,
            time2: <Time at={new Date(lastUsed).toISOString()} />,
          })}
        </p>
      </div>
      <Button
        variant="secondary"
        size="small"
        aria-label={t('Disconnect {origin}', { origin })}
        onClick={() => revokeOrigin(origin)}
      >
        {t('Disconnect')}
      </Button>
    </li>
  )
}
