import { Notice } from '@lanyard/ui'
import { t } from '../i18n/t.ts'
import { useSession } from './session-context.tsx'

/** Warns where an address is shown that only the service says is the person's own. */
export function UnprovenNotice() {
  const { unproven } = useSession()
  return (
    unproven && (
      <Notice tone="warning" title={t('Compare this address first.')}>
        {t(
          'This browser does not know your account and cannot derive its address from the passkey that you used. Check that your recovery kit names the same address before you receive anything.',
        )}
      </Notice>
    )
  )
}
