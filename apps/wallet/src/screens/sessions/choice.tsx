import type { ReactNode } from 'react'

interface ChoiceProps {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  /** What the choice asks for further. */
  readonly children: ReactNode
}

/** Something that a session may do or not, with its limits below once it is chosen. */
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
