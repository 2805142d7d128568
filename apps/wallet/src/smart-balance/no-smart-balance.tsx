import { Button, EmptyState } from '@lanyard/ui'
import { Link } from 'react-router'
import { t } from '../i18n/t.ts'

/** Shown if none of the service's networks has the SmartBalance contract. */
export function NoSmartBalance() {
  return (
    <EmptyState
      title={t('No combined balance here')}
      action={
        <Button asChild variant="secondary">
          <Link to="/send">{t('Send from one network')}</Link>
        </Button>
      }
    >
      {t('None of this service’s networks supports it. You can still send from each network.')}
    </EmptyState>
  )
}
