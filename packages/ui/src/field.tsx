import { Label } from 'radix-ui'
import { type ReactNode, useId } from 'react'

/** The attributes with which a control inside a {@link Field} gets its name and description. */
interface FieldControl {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean | undefined
}

interface FieldProps {
  readonly label: string
  /** Content beside the label, such as a balance or a "max" button. */
  readonly aside?: ReactNode
  readonly hint?: ReactNode
  /** What is wrong, and how to correct it. */
  readonly error?: string | undefined
  readonly children: (control: FieldControl) => ReactNode
}

/** A control with its label, hint and error, associated for screen readers. */
export function Field({ label, aside, hint, error, children }: FieldProps) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className="grid gap-1.5">
      <div className="flex min-h-6 flex-wrap items-center justify-between gap-x-3">
        <Label.Root htmlFor={id} className="text-sm font-medium">
          {label}
        </Label.Root>
        {aside}
      </div>
      {children({
        id,
        'aria-describedby': note ? `${id}-note` : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {/* Always rendered, so that screen readers announce a text that appears later. */}
      <div
        id={`${id}-note`}
        aria-live="polite"
        className={error ? 'text-sm text-danger' : 'text-sm text-muted'}
      >
        {note}
      </div>
    </div>
  )
}
