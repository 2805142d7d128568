import { cva, type VariantProps } from 'class-variance-authority'
import type { ReactNode } from 'react'

const tag = cva(
  'inline-flex wrap-break-word items-center gap-1 rounded-full px-2 py-0.5 font-medium text-xs',
  {
    variants: {
      tone: {
        neutral: 'bg-sunken text-muted',
        good: 'bg-accent-soft text-accent',
        waiting: 'bg-cord-soft text-cord-ink',
        bad: 'bg-danger-soft text-danger',
      },
    },
    defaultVariants: { tone: 'neutral' },
  },
)

/** A state in a word or two. */
export function Tag({ tone, children }: VariantProps<typeof tag> & { children: ReactNode }) {
  return <span className={tag({ tone })}>{children}</span>
}
