import { Button, Field, Input } from '@lanyard/ui'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { t } from '../../i18n/t.ts'
import { signInAs } from '../../passkey/sign-in.ts'
import { lastUsername } from '../../sign-in/known-account.ts'
import { useSessionState } from '../../sign-in/session-context.tsx'

/** For security keys that store no names. The field's suggestions also offer the passkeys (autofill). */
export function SignInByName() {
  const { signIn } = useSessionState()
  const [username, setUsername] = useState(() => lastUsername() ?? '')
  const [missing, setMissing] = useState(false)
  const ceremony = useMutation({ mutationFn: signInAs, onSuccess: signIn })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (username.trim() === '') setMissing(true)
    else if (!ceremony.isPending) ceremony.mutate(username.trim())
  }

  return (
    <form onSubmit={submit} className="grid gap-4 border-line border-t pt-5" noValidate>
      <Field label={t('Or by username')} error={missing ? t('Enter your username first.') : undefined}>
        {(control) => (
          <div className="flex gap-2.5">
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
            <Button type="submit" variant="secondary" className="h-11" busy={ceremony.isPending}>
              {t('Sign in')}
            </Button>
          </div>
        )}
      </Field>
      {ceremony.error && <ErrorNotice error={ceremony.error} undone={t('You are not signed in.')} />}
    </form>
  )
}
