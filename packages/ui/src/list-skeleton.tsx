import { Card } from './card.tsx'
import { Skeleton } from './skeleton.tsx'

/** A placeholder for a loading list. */
export function ListSkeleton({ label }: { label: string }) {
  return (
    <Card aria-busy="true">
      <p role="status" className="sr-only">
        {label}
      </p>
      {[1, 2, 3].map((row) => (
        <div key={row} className="grid gap-2.5 border-line border-b p-5 last:border-b-0">
          <Skeleton className="h-5 w-full max-w-72" />
          <Skeleton className="h-4 w-40" />
        </div>
      ))}
    </Card>
  )
}
