import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './button.tsx'
import { t } from './texts.ts'

interface SheetProps {
  readonly title: string
  readonly onClose: () => void
  /** What can be done. It stays in sight while the rest scrolls. */
  readonly foot?: ReactNode
  readonly children: ReactNode
}

/**
 * A modal dialog at the right edge, or at the bottom of a phone. The platform's own dialog keeps the focus inside, closes on
 * Escape, and gives the focus back.
 */
export function Sheet({ title, onClose, foot, children }: SheetProps) {
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
      className="fixed inset-x-0 top-auto bottom-0 m-0 max-h-[92dvh] w-full max-w-none scroll-pb-36 overflow-y-auto rounded-t-[20px] bg-surface text-ink backdrop:bg-black/40 sm:inset-y-0 sm:right-0 sm:left-auto sm:h-dvh sm:max-h-none sm:w-[27.5rem] sm:rounded-none sm:border-line sm:border-l"
    >
      <div className="grid gap-4 p-4 sm:min-h-full sm:grid-rows-[auto_1fr_auto] sm:p-6">
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
        <div>{children}</div>
        {foot && (
          // On a screen that shows only a few lines of large text, it would hide the rest.
          <div className="-mx-4 -mb-4 bottom-0 flex flex-wrap gap-2 border-line border-t bg-surface p-4 sm:-mx-6 sm:-mb-6 sm:px-6 print:hidden [@media(min-height:30rem)]:sticky">
            {foot}
          </div>
        )}
      </div>
    </dialog>
  )
}
