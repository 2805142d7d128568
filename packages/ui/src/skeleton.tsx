/** A placeholder of about the size of the loading content. */
export function Skeleton({ className = 'h-4 w-24' }: { className?: string }) {
  return <span aria-hidden="true" className={`block animate-pulse rounded bg-sunken ${className}`} />
}
