import { ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'

interface DetailsProps {
  readonly summary: string
  /** Whether it starts open, so that a reload does not hide filled-in fields. */
  readonly open?: boolean
  /** Called when the person opens it, for content that is loaded only then. */
  readonly onOpen?: () => void
  readonly children: ReactNode
}

/** A collapsible section with more detail. */
export function Details({ summary, open = false, onOpen, children }: DetailsProps) {
  // React sets only the initial state. After that the person controls it.
  const [start] = useState(open)
  return (
    <details className="group" open={start} onToggle={(event) => event.currentTarget.open && onOpen?.()}>
      <summary className="-mx-1 flex min-h-11 list-none items-center gap-1.5 rounded px-1 text-muted text-sm hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 transition-transform group-open:rotate-90" aria-hidden="true" />
        {summary}
      </summary>
      <div className="mt-1 pl-5.5">{children}</div>
    </details>
  )
}
