import { cva, type VariantProps } from 'class-variance-authority'
import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'
import { Spinner } from './spinner.tsx'

const button = cva(
  'inline-flex wrap-break-word max-w-full shrink-0 [&>svg]:shrink-0 select-none items-center justify-center gap-2 rounded-field font-medium transition-colors disabled:opacity-50 aria-disabled:cursor-default aria-busy:opacity-80',
  {
    variants: {
      variant: {
        // Forced colours draw borders only.
        primary: 'border border-transparent bg-primary text-on-primary enabled:hover:bg-primary-hover',
        secondary: 'border border-line bg-surface enabled:hover:border-strong-line',
        quiet: 'text-muted hover:bg-sunken hover:text-ink',
        danger: 'border border-danger/40 text-danger enabled:hover:bg-danger-soft',
      },
      size: {
        // A text wraps where its row is too narrow for it alone: at twice the size, some are wider than a phone.
        large: 'min-h-12 px-5 py-1.5 text-balance text-base',
        medium: 'min-h-11 px-4 py-1.5 text-balance text-sm',
        // Looks small, but has a press target of 44 pixels.
        small:
          "relative min-h-8 px-2.5 py-1 text-sm after:absolute after:inset-x-0 after:-inset-y-2 after:content-[''] pointer-coarse:min-h-11",
        icon: 'size-11',
      },
    },
    defaultVariants: { variant: 'primary', size: 'medium' },
  },
)

export interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof button> {
  /** Renders its only child (e.g. a link) with the style of a button. */
  readonly asChild?: boolean
  /** Shows that something is in progress, and ignores presses. Unlike `disabled`, it keeps the focus. */
  readonly busy?: boolean
}

export function Button({
  variant: look,
  size,
  asChild,
  busy,
  className,
  children,
  onClick,
  ...props
}: ButtonProps) {
  const classes = button({ variant: look, size, className })
  if (asChild)
    return (
      <Slot.Root className={classes} onClick={onClick} {...props}>
        {children}
      </Slot.Root>
    )
  return (
    <button
      type="button"
      className={classes}
      aria-busy={busy}
      aria-disabled={busy || undefined}
      {...props}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}
