import { cva, type VariantProps } from 'class-variance-authority'
import { CircleAlert, Info, ShieldAlert } from 'lucide-react'
import type { ReactNode } from 'react'

const notice = cva('flex gap-3 rounded-field p-3.5 text-sm leading-relaxed', {
  variants: {
    tone: {
      info: 'bg-sunken',
      warning: 'bg-cord-soft text-cord-ink',
      error: 'bg-danger-soft',
    },
  },
  defaultVariants: { tone: 'info' },
})

const icons = { info: Info, warning: ShieldAlert, error: CircleAlert } as const

interface NoticeProps extends VariantProps<typeof notice> {
  readonly title?: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** Information to read before continuing. Screen readers announce an error immediately. */
export function Notice({ tone, title, children, action }: NoticeProps) {
  const Icon = icons[tone ?? 'info']
  return (
    <div role={tone === 'error' ? 'alert' : undefined} className={notice({ tone })}>
      <Icon
        className={`mt-0.5 size-4 shrink-0 ${tone === 'error' ? 'text-danger' : ''}`}
        aria-hidden="true"
      />
      <div className="grid min-w-0 gap-1">
        {title && <p className={`font-medium ${tone === 'error' ? 'text-danger' : ''}`}>{title}</p>}
        {children && <div>{children}</div>}
        {action && <div className="mt-1.5">{action}</div>}
      </div>
    </div>
  )
}
