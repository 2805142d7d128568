import { Button, escapeText, Screen } from '@lanyard/ui'
import { Link, useLocation } from 'react-router'
import { rich, t } from '../i18n/t.ts'

/** An address that no screen has: mistyped, of an older version, or of something that the operator turned off. */
export function NotFoundScreen() {
  const { pathname } = useLocation()
  return (
    <Screen title={t('There is no such page')} narrow>
      <p className="wrap-anywhere">
        {rich('Nothing in this wallet has the address {path}. Your account is as it was.', {
          path: <code className="font-mono text-sm">{escapeText(pathname, 80)}</code>,
        })}
      </p>
      <Button asChild className="justify-self-start">
        <Link to="/">{t('Go to Home')}</Link>
      </Button>
    </Screen>
  )
}
