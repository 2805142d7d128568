import { type FormEvent, useState } from 'react'
import { isAddressEqual } from 'viem'
import type { OwnerChange } from '../../owners/owner-change.ts'
import { type RecoveryChallenge, recoveryChallenge } from '../../owners/recovery-proof.ts'
import { parseAddress } from '../../recipients/recipient.ts'
import { useSession } from '../../session/session-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { ProveRecoveryKey } from './prove-recovery-key.tsx'

/** An ordinary account as a second owner: the way out that needs neither this service nor its web address. */
export function AddRecoveryAddress({ onChange }: { onChange: (change: OwnerChange) => void }) {
  const { account } = useSession()
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const [challenge, setChallenge] = useState<RecoveryChallenge>()

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const parsed = parseAddress(text)
    if (!parsed.ok) return setError(parsed.message)
    if (isAddressEqual(parsed.address, account))
      return setError('This is your account’s own address. An account cannot own itself.')
    setChallenge(recoveryChallenge(parsed.address, account))
  }
  if (challenge)
    return (
      <ProveRecoveryKey
        challenge={challenge}
        onProven={() => onChange({ kind: 'add', candidate: { kind: 'eoa', address: challenge.address } })}
        onBack={() => setChallenge(undefined)}
      />
    )
  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <p className="text-muted text-sm">
        The address of a hardware wallet, or of another key that you keep somewhere else. It works even if
        this service is gone. Whoever holds its key can spend everything.
      </p>
      <Field label="Recovery address" error={error}>
        {(control) => (
          <Input
            {...control}
            className="font-mono text-sm"
            autoCapitalize="none"
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
        Continue
      </Button>
    </form>
  )
}
