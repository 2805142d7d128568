import { Button, Card, Field, Input, ListSkeleton, Notice, Screen } from '@lanyard/ui'
import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { Link, Navigate, useNavigate } from 'react-router'
import { trpc } from '../../api/trpc.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { t } from '../../i18n/t.ts'
import { type FinishedLogin, finishLogin, LoginFailure } from '../../login/login-flow.ts'
import {
  beginRegistration,
  findLinkedUser,
  finishRegistration,
  type NamedUser,
  signInAsNamed,
} from '../../login/sign-in-with-login.ts'
import { readPendingRecovery } from '../../recovery/recovery-link.ts'
import { useSessionState } from '../../sign-in/session-context.tsx'

/** Where a provider sends the browser back: what the login was begun for continues here. */
export function LoginScreen() {
  const [search] = useState(() => location.search)
  // A query, so that it runs once however often React renders: the code works once.
  const login = useQuery({
    queryKey: ['login', search],
    queryFn: () => continueLogin(search),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return (
    <Screen title={t('Sign in')} narrow>
      {login.error ? (
        <Failed error={login.error} />
      ) : !login.data ? (
        <ListSkeleton label={t('Reading your login')} />
      ) : login.data.kind === 'named' ? (
        <SignIn user={login.data.user} />
      ) : login.data.kind === 'new' ? (
        <Create login={login.data.login} />
      ) : login.data.kind === 'registered' ? (
        <Registered session={login.data.session} />
      ) : (
        <Navigate to={login.data.to} replace state={afterLogin} />
      )}
    </Screen>
  )
}

/** Tells the screen that follows that the login did what it was begun for. */
const afterLogin = { byLogin: true }

async function continueLogin(search: string) {
  const login = await finishLogin(search)
  const { idToken, purpose } = login
  if (purpose.kind === 'register')
    return { kind: 'registered' as const, session: await finishRegistration(login) }
  if (purpose.kind === 'link') {
    await trpc.identity.link.mutate({ idToken })
    return { kind: 'done' as const, to: '/protection' }
  }
  if (purpose.kind === 'ask-guardians') {
    const pending = readPendingRecovery()
    if (!pending) throw new LoginFailure('not-begun-here')
    const { x, y, verifiers } = pending.newOwner
    const hex = (value: bigint, digits: number) => `0x${value.toString(16).padStart(digits, '0')}` as const
    await trpc.identity.askGuardians.mutate({
      idToken,
      newOwner: { x: hex(x, 64), y: hex(y, 64), verifiers: hex(verifiers, 44) },
    })
    return { kind: 'done' as const, to: '/recover' }
  }
  const user = await findLinkedUser(idToken)
  return user ? { kind: 'named' as const, user } : { kind: 'new' as const, login }
}

function Failed({ error }: { readonly error: Error }) {
  return (
    <>
      {error instanceof LoginFailure ? (
        <Notice
          tone="error"
          title={
            error.reason === 'refused'
              ? t('The login was not finished.')
              : t('This login did not begin in this tab.')
          }
        >
          {error.reason === 'refused'
            ? t('You or the provider stopped it. Nothing was changed.')
            : t('Another page may have sent you here. Nothing was changed. Begin again on the first page.')}
        </Notice>
      ) : (
        <ErrorNotice error={error} undone={t('You are not signed in.')} />
      )}
      <Link
        to="/"
        className="touch-area justify-self-start font-medium text-accent underline underline-offset-4"
      >
        {t('Back to the first page')}
      </Link>
    </>
  )
}

function SignIn({ user }: { readonly user: NamedUser }) {
  const { signIn } = useSessionState()
  const navigate = useNavigate()
  const ceremony = useMutation({
    mutationFn: () => signInAsNamed(user),
    onSuccess: (session) => {
      signIn(session)
      void navigate('/', { replace: true })
    },
  })
  if (!user.passkeyAuthenticationOptions)
    return (
      <Notice title={t('This account has no passkey: the key of an address signs for it.')}>
        {t('Use it in an app that connects the wallet of that address, or create an account here.')}
      </Notice>
    )
  return (
    <Card aria-labelledby="named" className="grid gap-4 p-5">
      <h2 id="named" className="wrap-anywhere font-semibold text-lg">
        {t('Your login names {username}', { username: user.username })}
      </h2>
      <p className="text-muted text-sm">{t('Only a passkey of this account opens it.')}</p>
      {ceremony.error && <ErrorNotice error={ceremony.error} undone={t('You are not signed in.')} />}
      <Button size="large" busy={ceremony.isPending} onClick={() => ceremony.mutate()}>
        {!ceremony.isPending && <KeyRound className="size-5" aria-hidden="true" />}
        {ceremony.isPending ? t('Waiting for your passkey…') : t('Sign in with a passkey')}
      </Button>
      <Link
        to="/recover"
        className="inline-flex h-11 items-center justify-self-start text-sm underline underline-offset-4"
      >
        {t('Lost your passkey?')}
      </Link>
    </Card>
  )
}

function Create({ login }: { readonly login: FinishedLogin }) {
  const [username, setUsername] = useState('')
  const [missing, setMissing] = useState(false)
  const beginning = useMutation({ mutationFn: (name: string) => beginRegistration(login, name) })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (username.trim() === '') setMissing(true)
    else if (!beginning.isPending) beginning.mutate(username.trim())
  }
  return (
    <Card aria-labelledby="new" className="grid gap-5 p-5">
      <h2 id="new" className="font-semibold text-lg">
        {t('No account is linked to this login yet')}
      </h2>
      <p className="text-muted text-sm">
        {t('Create one with a passkey. Then your login is asked once more, for exactly this passkey.')}
      </p>
      <form onSubmit={submit} className="grid gap-5" noValidate>
        <Field
          label={t('Username')}
          error={missing ? t('Choose a username first.') : undefined}
          hint={t('Others can find you by this name and send you money.')}
        >
          {(control) => (
            <Input
              {...control}
              value={username}
              autoComplete="username"
              autoCapitalize="none"
              maxLength={64}
              onChange={(event) => {
                setUsername(event.target.value)
                setMissing(false)
                beginning.reset()
              }}
            />
          )}
        </Field>
        {beginning.error && <ErrorNotice error={beginning.error} undone={t('No account was created.')} />}
        <Button type="submit" size="large" busy={beginning.isPending}>
          {!beginning.isPending && <KeyRound className="size-5" aria-hidden="true" />}
          {beginning.isPending ? t('Waiting for your passkey…') : t('Create with a passkey')}
        </Button>
      </form>
      <p className="text-muted text-sm">
        {t(
          'Do you have an account here already? Sign in with its passkey, and link this login under Protection.',
        )}
      </p>
      <Link
        to="/"
        className="inline-flex h-11 items-center justify-self-start text-sm underline underline-offset-4"
      >
        {t('Back to the first page')}
      </Link>
    </Card>
  )
}

function Registered({
  session,
}: {
  readonly session: Parameters<ReturnType<typeof useSessionState>['signIn']>[0]
}) {
  const { signIn } = useSessionState()
  const navigate = useNavigate()
  useEffect(() => {
    signIn(session)
    void navigate('/', { replace: true })
  }, [session, signIn, navigate])
  return null
}
