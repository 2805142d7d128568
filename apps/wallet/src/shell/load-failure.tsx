import { Button, Notice } from '@lanyard/ui'
import { Component, type ReactNode } from 'react'
import { t } from '../i18n/t.ts'

/**
 * Replaces a screen that could not be loaded or rendered: the connection broke, or the service was updated
 * after the page was opened and now has other files. Without it, React would render nothing.
 */
export class LoadFailure extends Component<
  { children: ReactNode /** Default: a notice with a button to reload. */; fallback?: ReactNode },
  { failed: boolean }
> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    if (this.props.fallback !== undefined) return this.props.fallback
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
}
