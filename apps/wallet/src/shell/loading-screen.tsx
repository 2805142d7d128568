import { ListSkeleton, Notice } from '@lanyard/ui'
import { t } from '../i18n/t.ts'

/** Shown while a screen loads. */
export function LoadingScreen() {
  return navigator.onLine ? (
    <ListSkeleton label={t('Loading')} />
  ) : (
    <Notice tone="warning" title={t('You are offline.')}>
      {t('This page opens as soon as you are connected.')}
    </Notice>
  )
}
