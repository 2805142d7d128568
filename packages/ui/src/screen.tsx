import { type ReactNode, useEffect, useRef } from 'react'
import { brand } from './brand.ts'

/**
 * One screen. Its heading gets the focus when it appears, so that keyboard and screen-reader users start at
 * the top.
 */
export function Screen({
  title,
  intro,
  aside,
  above,
  narrow,
  children,
}: {
  title: string
  intro?: string
  aside?: ReactNode
  /** Links to the screens beside this one. */
  above?: ReactNode
  /** One centred column, for forms and lists. */
  narrow?: boolean
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${brand.name}`
    heading.current?.focus({ preventScroll: true })
  }, [title])
  return (
    <div className={`grid gap-5 ${narrow ? 'mx-auto max-w-2xl' : ''}`}>
      {above}
      <div className="grid gap-1">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <h1 ref={heading} tabIndex={-1} className="font-semibold text-2xl tracking-tight">
            {title}
          </h1>
          {aside}
        </div>
        {intro && <p className="max-w-prose text-muted">{intro}</p>}
      </div>
      {children}
    </div>
  )
}
