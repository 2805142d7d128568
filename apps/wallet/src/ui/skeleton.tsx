/** The place of something that is being loaded, in about its size. */
export function Skeleton({ className = 'h-4 w-24' }: { className?: string }) {
  return <span aria-hidden="true" className={`block animate-pulse rounded bg-sunken ${className}`} />
}
