import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

/** More for those who want to look closer. */
export function Details({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <details className="group">
      <summary className="-mx-1 flex min-h-11 list-none items-center gap-1.5 rounded px-1 text-muted text-sm hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 transition-transform group-open:rotate-90" aria-hidden="true" />
        {summary}
      </summary>
      <div className="mt-1 pl-5.5">{children}</div>
    </details>
  )
}
