import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { signIn as signInWithPasskey } from '../../passkey/sign-in.ts'
import { lastUsername } from '../../session/known-account.ts'
import { useSessionState } from '../../session/session-context.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { usePasskeyAutofill } from './use-passkey-autofill.ts'

/** Back with a passkey; the name of last time is there already. */
export function SignIn() {
  const { signIn } = useSessionState()
  const [username, setUsername] = useState(() => lastUsername() ?? '')
  const [missing, setMissing] = useState(false)
  const ceremony = useMutation({ mutationFn: (name: string) => signInWithPasskey(name), onSuccess: signIn })
  usePasskeyAutofill(signIn)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (username.trim() === '') setMissing(true)
    else if (!ceremony.isPending) ceremony.mutate(username.trim())
  }

  return (
    <form onSubmit={submit} className="grid gap-5" noValidate>
      <Field label="Username" error={missing ? 'Enter your username first.' : undefined}>
        {(control) => (
          <Input
            {...control}
            value={username}
            autoComplete="username webauthn"
            autoCapitalize="none"
            maxLength={64}
            onChange={(event) => {
              setUsername(event.target.value)
              setMissing(false)
              ceremony.reset()
            }}
          />
        )}
      </Field>
      {ceremony.error && <ErrorNotice error={ceremony.error} />}
      <Button type="submit" size="large" busy={ceremony.isPending}>
        {!ceremony.isPending && <KeyRound className="size-5" aria-hidden="true" />}
        {ceremony.isPending ? 'Waiting for your passkey…' : 'Sign in with a passkey'}
      </Button>
    </form>
  )
}
