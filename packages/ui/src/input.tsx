import type { ComponentProps } from 'react'

/** Text has 16 pixels: with smaller text, iOS zooms into the page. */
export const controlClasses =
  'h-11 w-full min-w-0 rounded-field border border-line bg-surface px-3 text-base transition-colors placeholder:text-muted/70 hover:border-strong-line focus-visible:border-accent focus-visible:outline-offset-0 aria-invalid:border-danger disabled:opacity-60'

export function Input({ className = '', ...props }: ComponentProps<'input'>) {
  return (
    <input className={`${controlClasses} ${className}`} autoComplete="off" spellCheck={false} {...props} />
  )
}
