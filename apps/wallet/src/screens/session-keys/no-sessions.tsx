import { Button, Card } from '@lanyard/ui'
import { t } from '../../i18n/t.ts'

/** Explains sessions to people who never had one. */
export function NoSessions({ onGrant }: { onGrant: () => void }) {
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
