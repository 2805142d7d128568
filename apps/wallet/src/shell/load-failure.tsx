import { Button, ErrorBoundary, Notice } from '@lanyard/ui'
import type { ReactNode } from 'react'
import { t } from '../i18n/t.ts'

/**
 * Replaces a screen that could not be loaded or rendered: the connection broke, or the service was updated
 * after the page was opened and now has other files.
 */
export function LoadFailure({
  children,
  fallback = <Failure />,
}: {
  children: ReactNode
  fallback?: ReactNode
}) {
  return <ErrorBoundary fallback={fallback}>{children}</ErrorBoundary>
}

function Failure() {
  return (
    <div className="mx-auto max-w-2xl p-4">
      <Notice
        tone="error"
        title={t('This page could not be loaded.')}
        action={
          <Button variant="secondary" size="small" onClick={() => location.reload()}>
            {t('Reload')}
          </Button>
        }
      >
        {t(
          'Check your connection, then reload. If the wallet was updated, a reload gets the new version. Payments that you signed are under Activity.',
        )}
      </Notice>
    </div>
  )
}
