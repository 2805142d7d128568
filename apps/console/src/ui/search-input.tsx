import { Field, Input } from '@lanyard/ui'

interface SearchInputProps {
  /** What can be searched for. */
  readonly hint: string
  readonly value: string
  readonly onChange: (value: string) => void
}

export function SearchInput({ hint, value, onChange }: SearchInputProps) {
  return (
    <Field label="Search" hint={hint}>
      {(control) => (
        <Input {...control} type="search" value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  )
}
