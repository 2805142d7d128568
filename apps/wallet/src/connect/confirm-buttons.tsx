import { Button } from '@lanyard/ui'
import { useEffect, useState } from 'react'
import { t } from '../i18n/t.ts'

/** Milliseconds that the window must be in front before it accepts a press. */
const armingDelay = 500

/**
 * Whether a press is deliberate: the window has been in front for half a second. A page could open the
 * window, or bring it to the front, just as the person presses something else.
 */
function useArmed(): boolean {
  const [armed, setArmed] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const disarm = () => {
      clearTimeout(timer)
      setArmed(false)
    }
    const arm = () => {
      disarm()
      timer = setTimeout(() => setArmed(document.hasFocus()), armingDelay)
    }
    arm()
    addEventListener('focus', arm)
    addEventListener('blur', disarm)
    return () => {
      clearTimeout(timer)
      removeEventListener('focus', arm)
      removeEventListener('blur', disarm)
    }
  }, [])
  return armed
}

interface ConfirmButtonsProps {
  readonly label: string
  readonly onConfirm: () => void
  readonly onDecline: () => void
  /** The passkey prompt is open, or a request is in progress. */
  readonly busy: boolean
}

/** Mount it together with the content that it confirms. */
export function ConfirmButtons({ label, onConfirm, onDecline, busy }: ConfirmButtonsProps) {
  const armed = useArmed()
  return (
    <div className="grid gap-2.5">
      <Button
        size="large"
        busy={busy}
        {...(!busy && { 'aria-disabled': !armed })}
        className={armed || busy ? '' : 'opacity-60'}
        onClick={() => {
          if (armed && document.hasFocus()) onConfirm()
        }}
      >
        {label}
      </Button>
      <Button size="large" variant="secondary" onClick={onDecline}>
        {t('Decline')}
      </Button>
    </div>
  )
}
