import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { controlClasses } from './input.tsx'

/** The platform's own select: it works best on a phone, and it injects no styles at run time. */
export function Select({ className = '', children, ...props }: ComponentProps<'select'>) {
  return (
    <div className="relative">
      <select className={`${controlClasses} appearance-none pr-9 ${className}`} {...props}>
        {children}
      </select>
      <ChevronDown
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
        aria-hidden="true"
      />
    </div>
  )
}
