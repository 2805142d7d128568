import { Button, brand, Logo, logins, Notice, TabPanel, Tabs, ThemeToggle, useFont } from '@lanyard/ui'
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { Session } from '../../api/stored-session.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { Footer } from '../../i18n/footer.tsx'
import { t } from '../../i18n/t.ts'
import {
  beginOffer,
  signInAs,
  signInFromSuggestions,
  signIn as signInWithPasskey,
} from '../../passkey/sign-in.ts'
import { lastUsername } from '../../sign-in/known-account.ts'
import { useSessionState } from '../../sign-in/session-context.tsx'
import { CreateAccount } from './create-account.tsx'
import { SignInByName } from './sign-in-by-name.tsx'

// Its own file: most services offer no login.
const LoginButtons = lazy(async () => ({
  default: (await import('../../login/login-buttons.tsx')).LoginButtons,
}))

const tabs = [
  { value: 'create', label: t('Create account') },
  { value: 'sign-in', label: t('Sign in') },
] as const

/** The first screen: create an account with a passkey, or sign in with one. */
export function WelcomeScreen() {
  const { ended } = useSessionState()
  const { pathname } = useLocation()
  useFont(true)
  const [tab, setTab] = useState<(typeof tabs)[number]['value']>(lastUsername() ? 'sign-in' : 'create')
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr]">
      <header className="mx-auto flex min-h-16 w-full max-w-5xl items-center justify-between px-4 sm:px-6">
        <span className="flex min-w-0 items-center gap-1.5 font-semibold tracking-tight">
          <Logo className="size-7" />
          <span className="truncate">{brand.name}</span>
        </span>
        <ThemeToggle />
      </header>
      <main className="mx-auto grid w-full max-w-5xl content-start gap-10 px-4 pt-6 pb-12 sm:px-6 md:grid-cols-[1fr_24rem] md:content-center md:gap-16 md:pb-28">
        <Promises />
        <div className="grid content-start gap-5">
          {ended && <SessionEnded />}
          {pathname === '/sessions/request' && (
            <Notice title={t('An app asks for a session key.')}>
              {t('Sign in, and this page shows what it asks for. Nothing is granted before you sign.')}
            </Notice>
          )}
          {!browserSupportsWebAuthn() && (
            <Notice tone="error" title={t('This browser cannot use passkeys here.')}>
              {t('Use a current browser, over HTTPS or at http://localhost.')}
            </Notice>
          )}
          <Tabs label={t('Create an account or sign in')} value={tab} onChange={setTab} tabs={tabs}>
            <TabPanel value="create" className="mt-6">
              <CreateAccount onSignIn={() => setTab('sign-in')} />
            </TabPanel>
            <TabPanel value="sign-in" className="mt-6">
              <SignIn />
            </TabPanel>
          </Tabs>
          {logins.length > 0 && (
            <Suspense>
              <LoginButtons />
            </Suspense>
          )}
          <Footer className="mt-4" />
        </div>
      </main>
    </div>
  )
}

const promises = [
  [
    t('No password, no seed phrase.'),
    t('Your fingerprint, face or PIN unlocks a key that stays on your device.'),
  ],
  [t('One address everywhere.'), t('The same account on every network of this service.')],
  [
    t('Checked before you sign.'),
    t('This page recomputes what your passkey signs. The service can never spend for you.'),
  ],
] as const

/** Describes the wallet in a few lines. */
export function Promises() {
  return (
    <div className="grid content-start gap-7">
      <h1 className="max-w-md font-semibold text-3xl leading-tight tracking-tight sm:text-4xl">
        {t('A wallet that only you can sign for.')}
      </h1>
      <dl className="hidden gap-5 border-cord/60 border-l-2 pl-5 md:grid">
        {promises.map(([term, text]) => (
          <div key={term} className="grid gap-0.5">
            <dt className="font-medium">{term}</dt>
            <dd className="max-w-sm text-muted">{text}</dd>
          </div>
        ))}
      </dl>
      <p className="text-muted md:hidden">{t('No password and no seed phrase: a passkey on this device.')}</p>
    </div>
  )
}

/** Continues an expired session with one touch, on the screen that was open. */
export function SessionEnded() {
  const { signIn } = useSessionState()
  const username = lastUsername()
  const ceremony = useMutation({ mutationFn: signInAs, onSuccess: signIn })
  return (
    <>
      <Notice
        title={t('Your sign-in has ended.')}
        action={
          username !== undefined && (
            <Button busy={ceremony.isPending} onClick={() => ceremony.mutate(username)}>
              {!ceremony.isPending && <KeyRound className="size-4" aria-hidden="true" />}
              {t('Continue as {username}', { username })}
            </Button>
          )
        }
      >
        {t('Sign in again, and you are where you were.')}
      </Notice>
      {ceremony.error && <ErrorNotice error={ceremony.error} undone={t('You are not signed in.')} />}
    </>
  )
}

/** Signs in with a passkey, or by name if the device does not know whose passkeys it has. */
export function SignIn() {
  const { signIn } = useSessionState()
  const ceremony = useMutation({ mutationFn: () => signInWithPasskey(), onSuccess: signIn })
  usePasskeyAutofill(signIn)
  return (
    <div className="grid gap-6">
      <div className="grid gap-2.5">
        <Button size="large" busy={ceremony.isPending} onClick={() => ceremony.mutate()}>
          {!ceremony.isPending && <KeyRound className="size-5" aria-hidden="true" />}
          {ceremony.isPending ? t('Waiting for your passkey…') : t('Sign in with a passkey')}
        </Button>
        <p className="text-center text-muted text-sm">
          {t('Your device shows the accounts that you have here.')}
        </p>
        {ceremony.error && <ErrorNotice error={ceremony.error} undone={t('You are not signed in.')} />}
      </div>
      <SignInByName />
      <Link
        to="/recover"
        className="inline-flex h-11 items-center justify-self-start text-sm underline underline-offset-4"
      >
        {t('Lost your passkey?')}
      </Link>
      <Link
        to="/import"
        className="inline-flex h-11 items-center justify-self-start text-sm underline underline-offset-4"
      >
        {t('Your key is in a wallet of your own?')}
      </Link>
    </div>
  )
}

/**
 * Milliseconds. The service's challenge lives for five minutes, and a page may stay open longer than that.
 */
const renewAfter = 4 * 60_000

/** Offers the passkeys in the username field's suggestions, if the browser supports it, until a button signs in. */
export function usePasskeyAutofill(onSession: (session: Session) => void): void {
  useEffect(() => {
    const offer = beginOffer()
    const wait = async () => {
      if (!(await browserSupportsWebAuthnAutofill())) return
      while (!offer.signal.aborted) {
        const old = AbortSignal.timeout(renewAfter)
        try {
          const session = await signInFromSuggestions(AbortSignal.any([offer.signal, old]))
          if (!offer.signal.aborted) onSession(session)
          return
        } catch {
          // Nobody has asked for anything, so nobody reads why it failed.
          if (!old.aborted) return
        }
      }
    }
    void wait()
    return () => {
      offer.abort()
      WebAuthnAbortService.cancelCeremony()
    }
  }, [onSession])
}
