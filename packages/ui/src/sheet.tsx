import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './button.tsx'
import { t } from './texts.ts'

interface SheetProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/**
 * A modal dialog at the right edge, or at the bottom of a phone. The platform's own dialog keeps the focus inside, closes on
 * Escape, and gives the focus back.
 */
export function Sheet({ title, onClose, children }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    if (element && !element.open) element.showModal()
    return () => element?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
      className="fixed inset-x-0 top-auto bottom-0 m-0 max-h-[92dvh] w-full max-w-none overflow-y-auto rounded-t-[20px] bg-surface text-ink backdrop:bg-black/40 sm:inset-y-0 sm:right-0 sm:left-auto sm:h-dvh sm:max-h-none sm:w-[27.5rem] sm:rounded-none sm:border-line sm:border-l"
    >
      <div className="grid gap-4 p-4 sm:p-6">
        <div className="flex items-center justify-between">
          <h2 id={id} className="font-medium text-muted text-sm">
            {title}
          </h2>
          <Button
            variant="quiet"
            size="icon"
            aria-label={t('Close')}
            title={t('Close')}
            className="print:hidden"
            onClick={() => dialog.current?.close()}
          >
            <X className="size-5" aria-hidden="true" />
          </Button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
