import { brand } from './brand.ts'

/** The operator's logo, or Lanyard's: a cord with a card at its end. */
export function Logo({ className = 'size-8' }: { className?: string }) {
  if (brand.logo !== null)
    return <img src={brand.logo} alt="" className={`${className} rounded object-contain`} />
  return (
    <svg viewBox="4 2 24 28" className={className} fill="none" aria-hidden="true">
      <path
        d="M8 3.5c0 6 3.5 9.5 8 14.5 4.5-5 8-8.5 8-14.5"
        className="stroke-cord"
        strokeWidth="2.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <rect x="9" y="17" width="14" height="12" rx="3" className="fill-ink" />
      <rect x="13" y="19.6" width="6" height="1.8" rx="0.9" className="fill-paper" />
    </svg>
  )
}
