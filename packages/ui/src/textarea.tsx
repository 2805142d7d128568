import type { ComponentProps } from 'react'
import { controlClasses } from './input.tsx'

export function Textarea({ className = '', ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      className={`${controlClasses} h-auto py-2.5 ${className}`}
      rows={3}
      autoComplete="off"
      spellCheck={false}
      {...props}
    />
  )
}
