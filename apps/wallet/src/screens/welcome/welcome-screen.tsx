import { brand, Logo, Notice, TabPanel, Tabs, ThemeToggle, useFont } from '@lanyard/ui'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { Footer } from '../../i18n/footer.tsx'
import { t } from '../../i18n/t.ts'
import { lastUsername } from '../../sign-in/known-account.ts'
import { useSessionState } from '../../sign-in/session-context.tsx'
import { CreateAccount } from './create-account.tsx'
import { Promises } from './promises.tsx'
import { SessionEnded } from './session-ended.tsx'
import { SignIn } from './sign-in.tsx'

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
          <Footer className="mt-4" />
        </div>
      </main>
    </div>
  )
}
