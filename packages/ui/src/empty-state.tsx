import type { ReactNode } from 'react'

/** Explains why a list is empty, and what would change that. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="grid justify-items-center gap-2 rounded-card border border-line border-dashed px-6 py-12 text-center">
      <p className="font-medium">{title}</p>
      <p className="max-w-sm text-muted text-sm">{children}</p>
      {action && <div className="mt-3">{action}</div>}
    </div>
  )
}
