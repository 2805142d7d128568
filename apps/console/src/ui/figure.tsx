import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

interface FigureProps {
  readonly name: string
  readonly value: ReactNode
  readonly note?: ReactNode
  /** The rows that it counts: the whole card leads there. */
  readonly to?: string
  /** Its course, at the right. */
  readonly course?: ReactNode
}

/** A figure with its name: the larger, the sooner it is read. */
export function Figure({ name, value, note, to, course }: FigureProps) {
  return (
    <div
      className={`relative grid content-start gap-0.5 rounded-card border border-line bg-surface p-4 ${to === undefined ? '' : 'transition-colors hover:border-strong-line'}`}
    >
      <dt className="flex items-center justify-between text-muted text-sm">
        {name}
        {to !== undefined && <ArrowRight className="size-4" aria-hidden="true" />}
      </dt>
      <dd className="flex flex-wrap items-center justify-between gap-2">
        <span className="figures wrap-anywhere font-semibold text-2xl tracking-tight">
          {to === undefined ? (
            value
          ) : (
            <Link to={to} className="after:absolute after:inset-0 after:rounded-card after:content-['']">
              <span className="sr-only">{name}: </span>
              {value}
            </Link>
          )}
        </span>
        {course}
      </dd>
      {note && <dd className="text-muted text-xs">{note}</dd>}
    </div>
  )
}
