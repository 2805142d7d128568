import { Share2 } from 'lucide-react'
import { Button } from './button.tsx'
import { t } from './texts.ts'

/** Opens the device's share dialog. Some browsers have none. */
export function ShareButton({ text }: { readonly text: string }) {
  if (!('share' in navigator)) return null
  return (
    // Closing the share dialog is not an error.
    <Button variant="secondary" onClick={() => void navigator.share({ text }).catch(() => undefined)}>
      <Share2 className="size-4" aria-hidden="true" />
      {t('Share')}
    </Button>
  )
}
