import type { ReactNode } from 'react'

/** A part of a screen, with its heading. */
export function Section({
  title,
  aside,
  children,
}: {
  title: string
  aside?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="grid min-w-0 grid-cols-1 content-start gap-2.5">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold text-lg tracking-tight">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
