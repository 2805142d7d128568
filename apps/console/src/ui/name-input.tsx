import { Field, Input } from '@lanyard/ui'

interface NameInputProps {
  readonly label: string
  readonly hint: string
  readonly required?: boolean
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A name as the service accepts it. */
export function NameInput({ label, hint, required, value, onChange }: NameInputProps) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <Input
          {...control}
          required={required}
          pattern="[A-Za-z0-9][\w.\-]{0,63}"
          title="Letters, digits, “.”, “_” and “-”, at most 64, a letter or digit first"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
