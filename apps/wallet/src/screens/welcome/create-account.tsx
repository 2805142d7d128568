import { Button, Field, Input, useDebounced, useStoredDraft } from '@lanyard/ui'
import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { trpc } from '../../api/trpc.ts'
import { describeError } from '../../errors/describe-error.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { serviceText } from '../../errors/error-text.ts'
import { readServiceError } from '../../errors/service-error.ts'
import { t } from '../../i18n/t.ts'
import { register } from '../../passkey/register.ts'
import { useSessionState } from '../../sign-in/session-context.tsx'

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

export type Availability =
  | { readonly state: 'idle' | 'checking' | 'free' | 'taken' }
  | { readonly state: 'refused'; readonly message: string }

/** How the service answers about a name that nobody has and nobody may take. The reason follows. */
const unavailable = 'This username does not exist, and is unavailable. '

/**
 * Whether a name is free, checked when the person pauses typing. Registration decides; this check only
 * reports it earlier.
 */
function useUsernameAvailability(typed: string): Availability {
  const username = typed.trim()
  const settled = useDebounced(username)
  const { data, error } = useQuery({
    queryKey: ['check-username', settled],
    queryFn: ({ signal }) => trpc.user.checkUsername.query({ username: settled }, { signal }),
    enabled: settled !== '',
  })
  if (username === '') return { state: 'idle' }
  if (settled !== username) return { state: 'checking' }
  if (data?.value) return { state: 'taken' }
  if (data)
    return data.message.startsWith(unavailable)
      ? {
          state: 'refused',
          message: t('This name is not available. {reason}', {
            reason: serviceText(data.message.slice(unavailable.length)),
          }),
        }
      : { state: 'free' }
  if (readServiceError(error)?.code === 'INVALID_INPUT')
    return { state: 'refused', message: describeError(error).title }
  return { state: error ? 'idle' : 'checking' }
}
