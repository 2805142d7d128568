import { Field, Select } from '@lanyard/ui'

interface OptionsProps<T extends string> {
  readonly options: Readonly<Partial<Record<T, string>>>
  readonly value: T
  readonly onChange: (value: T) => void
}

interface ChoiceProps<T extends string> extends OptionsProps<T> {
  readonly label: string
  readonly hint?: string
}

/** One of a few values, with a label and a hint. */
export function Choice<T extends string>({ label, hint, ...props }: ChoiceProps<T>) {
  return (
    <Field label={label} hint={hint}>
      {(control) => <ChoiceOf {...control} {...props} />}
    </Field>
  )
}

/** The control alone. Its options are in the order of the record. */
export function ChoiceOf<T extends string>({
  options,
  value,
  onChange,
  ...control
}: OptionsProps<T> & { readonly 'aria-label'?: string; readonly id?: string }) {
  const values = Object.keys(options) as T[] // the keys of this record
  return (
    <Select
      {...control}
      value={value}
      onChange={(event) => {
        const chosen = values.find((one) => one === event.target.value)
        if (chosen !== undefined) onChange(chosen)
      }}
    >
      {values.map((one) => (
        <option key={one} value={one}>
          {options[one]}
        </option>
      ))}
    </Select>
  )
}
