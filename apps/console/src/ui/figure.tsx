import type { ReactNode } from 'react'

/** A figure with its name: the larger, the sooner it is read. */
export function Figure({ name, value, note }: { name: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div className="grid content-start gap-0.5 rounded-card border border-line bg-surface p-4">
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="figures wrap-anywhere font-semibold text-2xl tracking-tight">{value}</dd>
      {note && <dd className="text-muted text-xs">{note}</dd>}
    </div>
  )
}
