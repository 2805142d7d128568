import { Button, Field, Input, useStoredDraft } from '@lanyard/ui'
import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { readServiceError } from '../../errors/service-error.ts'
import { t } from '../../i18n/t.ts'
import { register } from '../../passkey/register.ts'
import { useSessionState } from '../../sign-in/session-context.tsx'
import { useUsernameAvailability } from './use-username-availability.ts'

/** Creates an account from a username and a passkey. */
export function CreateAccount({ onSignIn }: { onSignIn: () => void }) {
  const { signIn } = useSessionState()
  const { draft, change, forget } = useStoredDraft('username', { username: '' })
  const { username } = draft
  const [missing, setMissing] = useState(false)
  const availability = useUsernameAvailability(username)
  const registration = useMutation({
    mutationFn: register,
    onSuccess: (session) => {
      forget()
      signIn(session)
    },
  })

  const lostRace = readServiceError(registration.error)?.code === 'USERNAME_TAKEN'
  const taken = availability.state === 'taken' || lostRace
  const error = taken
    ? t('This name is taken.')
    : availability.state === 'refused'
      ? availability.message
      : missing
        ? t('Choose a username first.')
        : undefined

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (username.trim() === '') setMissing(true)
    else if (!error && !registration.isPending) registration.mutate(username.trim())
  }

  return (
    <form onSubmit={submit} className="grid gap-5" noValidate>
      <Field
        label={t('Username')}
        error={error}
        hint={hints[availability.state]}
        aside={
          taken && (
            <Button variant="quiet" size="small" onClick={onSignIn}>
              {t('Sign in instead')}
            </Button>
          )
        }
      >
        {(control) => (
          <Input
            {...control}
            value={username}
            autoComplete="username"
            autoCapitalize="none"
            maxLength={64}
            onChange={(event) => {
              change({ username: event.target.value })
              setMissing(false)
              registration.reset()
            }}
          />
        )}
      </Field>
      {registration.error && !lostRace && (
        <ErrorNotice error={registration.error} undone={t('No account was created.')} />
      )}
      <Button type="submit" size="large" busy={registration.isPending}>
        {!registration.isPending && <KeyRound className="size-5" aria-hidden="true" />}
        {registration.isPending ? t('Waiting for your passkey…') : t('Create with a passkey')}
      </Button>
    </form>
  )
}

const hints = {
  idle: t('Others can find you by this name and send you money.'),
  checking: t('Checking…'),
  free: t('Available'),
  taken: undefined,
  refused: undefined,
} as const
