import { type FormEvent, useState } from 'react'
import { isAddressEqual } from 'viem'
import type { OwnerChange } from '../../owners/owner-change.ts'
import { parseAddress } from '../../recipients/recipient.ts'
import { useSession } from '../../session/session-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'

/** An ordinary account as a second owner: the way out that needs neither this service nor its web address. */
export function AddRecoveryAddress({ onChange }: { onChange: (change: OwnerChange) => void }) {
  const { account } = useSession()
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const parsed = parseAddress(text)
    if (!parsed.ok) return setError(parsed.message)
    if (isAddressEqual(parsed.address, account))
      return setError('This is the account itself; it cannot own itself.')
    onChange({ kind: 'add', candidate: { kind: 'eoa', address: parsed.address } })
  }
  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <p className="text-muted text-sm">
        The address of a hardware wallet or another key that you keep elsewhere. It works without this
        service, so it is the one to have. Whoever holds its key can spend everything.
      </p>
      <Field label="Address" error={error}>
        {(control) => (
          <Input
            {...control}
            className="font-mono text-sm"
            value={text}
            placeholder="0x…"
            onChange={(event) => {
              setText(event.target.value)
              setError(undefined)
            }}
          />
        )}
      </Field>
      <Button type="submit" className="justify-self-start">
        Add this owner
      </Button>
    </form>
  )
}
