import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { OwnerChange } from '../../owners/owner-change.ts'
import { addPasskey } from '../../passkey/add-passkey.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'

/** A passkey on a second device or security key. */
export function AddPasskey({ onChange }: { onChange: (change: OwnerChange) => void }) {
  const [label, setLabel] = useState('')
  const [missing, setMissing] = useState(false)
  const ceremony = useMutation({
    mutationFn: addPasskey,
    onSuccess: (candidate) => onChange({ kind: 'add', candidate }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (label.trim() === '') setMissing(true)
    else if (!ceremony.isPending) ceremony.mutate(label.trim())
  }
  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <p className="text-muted text-sm">
        On another phone or a security key. It saves you when this device is lost; like the first, it works
        only at {location.hostname}.
      </p>
      <Field
        label="Name"
        hint="To tell it from your others."
        error={missing ? 'Give it a name first.' : undefined}
      >
        {(control) => (
          <Input
            {...control}
            value={label}
            maxLength={64}
            placeholder="Security key in the drawer"
            onChange={(event) => {
              setLabel(event.target.value)
              setMissing(false)
            }}
          />
        )}
      </Field>
      {ceremony.error && <ErrorNotice error={ceremony.error} />}
      <Button type="submit" className="justify-self-start" busy={ceremony.isPending}>
        {ceremony.isPending ? 'Waiting for the passkey…' : 'Make a passkey'}
      </Button>
    </form>
  )
}
