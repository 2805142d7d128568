/** A cord with its clip. */
export function Logo({ className = 'size-8' }: { className?: string }) {
  return (
    <svg viewBox="5 3 22 26" className={className} fill="none" aria-hidden="true">
      <path
        d="M16 19.5C8.5 17 7.5 4.5 16 4.5s7.5 12.5 0 15Z"
        className="stroke-cord"
        strokeWidth="2.6"
        strokeLinejoin="round"
      />
      <rect x="12.75" y="18.5" width="6.5" height="9" rx="2" className="fill-ink" />
      <circle cx="16" cy="23" r="1.1" className="fill-paper" />
    </svg>
  )
}
