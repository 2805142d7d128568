import { useRef } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { t } from './texts.ts'

interface SubmitButtonProps extends Omit<ButtonProps, 'type' | 'asChild'> {
  readonly busy: boolean
  /** The button's text while busy. */
  readonly busyText?: string
  /** Cancels the submission. */
  readonly onCancel: () => void
}

/** Submits a form to the service. Until it completes it can be cancelled, and the focus stays here. */
export function SubmitButton({
  busy,
  busyText = t('Preparing…'),
  onCancel,
  children,
  size = 'large',
  ...props
}: SubmitButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <div className="grid gap-2.5 sm:flex sm:flex-wrap">
      <Button type="submit" size={size} busy={busy} {...props} ref={button}>
        {busy ? busyText : children}
      </Button>
      {busy && (
        <Button
          variant="secondary"
          size={size}
          onClick={() => {
            onCancel()
            button.current?.focus()
          }}
        >
          {t('Cancel')}
        </Button>
      )}
    </div>
  )
}
