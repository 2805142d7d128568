import { Button } from '@lanyard/ui'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { usePasskeyPrompt } from '../api/passkey-prompt.ts'
import { requestedBy } from '../api/requested-approval.ts'
import { ErrorNotice } from './error-notice.tsx'

interface ConfirmProps {
  readonly open: boolean
  readonly title: string
  /** What the act will do, and what it cannot undo. */
  readonly children: ReactNode
  readonly action: string
  readonly danger?: boolean
  readonly busy: boolean
  readonly error: unknown
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before an act. The platform's own dialog keeps the focus inside, and Escape closes it. */
export function Confirm(props: ConfirmProps) {
  const { open, title, children, action, danger, busy, error, onConfirm, onClose } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const isPrompting = usePasskeyPrompt()
  const isRequested = requestedBy(error) !== undefined
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal()
    if (!open && dialog.current?.open) dialog.current.close()
  }, [open])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-card border border-line bg-surface p-5 text-ink"
    >
      {open && (
        <div className="grid gap-4">
          <h2 id={id} className="font-semibold text-lg tracking-tight">
            {title}
          </h2>
          <div className="wrap-anywhere grid gap-2 text-sm">{children}</div>
          {error !== null && error !== undefined && <ErrorNotice error={error} />}
          <p className="text-muted text-xs" role="status">
            {isPrompting
              ? 'Your browser asks for your passkey. It confirms exactly this act.'
              : 'The audit log records this with your name.'}
          </p>
          <div className="flex flex-wrap justify-end gap-2">
            <Button variant="secondary" onClick={onClose}>
              {isRequested ? 'Close' : 'Cancel'}
            </Button>
            {!isRequested && (
              <Button variant={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
                {action}
              </Button>
            )}
          </div>
        </div>
      )}
    </dialog>
  )
}
