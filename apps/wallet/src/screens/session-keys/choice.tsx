import type { ReactNode } from 'react'

interface ChoiceProps {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  /** Further fields of the choice. */
  readonly children: ReactNode
}

/** An optional permission of a session. Its limits appear below once it is selected. */
export function Choice({ label, checked, onChange, children }: ChoiceProps) {
  return (
    <fieldset className="grid min-w-0 gap-4 rounded-field border border-line p-4">
      <legend className="sr-only">{label}</legend>
      <label className="flex min-h-11 cursor-pointer items-center gap-3 font-medium">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-accent"
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
        />
        {label}
      </label>
      {checked && children}
    </fieldset>
  )
}
