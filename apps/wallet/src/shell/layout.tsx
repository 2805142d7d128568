import { Button, brand, ListSkeleton, Logo, Notice, ThemeToggle, useFont } from '@lanyard/ui'
import { useQueryClient } from '@tanstack/react-query'
import { Clock, Link2, LogOut, type LucideIcon, Send, ShieldCheck, Timer, Wallet } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { NavLink, Outlet, useLocation, useNavigate } from 'react-router'
import { useEventStream } from '../events/use-event-stream.ts'
import { Footer } from '../i18n/footer.tsx'
import { t } from '../i18n/t.ts'
import { preloadScreens } from '../screens/screens.ts'
import { useSession, useSessionState } from '../sign-in/session-context.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { LoadFailure } from './load-failure.tsx'
import { PendingTray } from './pending-tray.tsx'

// Its own file: nobody waits for it, and hardly anybody ever sees it.
const RecoveryBanner = lazy(async () => ({ default: (await import('./recovery-banner.tsx')).RecoveryBanner }))

/**
 * The frame of every signed-in screen. On a phone, the navigation is at the bottom, within reach of the
 * thumb.
 */
export function Layout() {
  const { username } = useSession()
  const { signOut } = useSessionState()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  useScreenPreload()
  useEventStream()
  const leave = () => {
    signOut()
    void navigate('/')
  }
  return (
    <div className="min-h-dvh pb-20 md:pb-10">
      <button
        type="button"
        onClick={() => document.getElementById('content')?.focus()}
        className="sr-only z-20 rounded-field bg-primary px-4 py-2 text-on-primary focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t('Skip to content')}
      </button>
      <header className="border-line border-b">
        <div className="mx-auto flex min-h-16 max-w-5xl items-center gap-2 px-4 sm:gap-3 sm:px-6">
          <NavLink
            to="/"
            className="flex min-h-11 min-w-[44px] items-center gap-1.5 rounded font-semibold text-ink tracking-tight"
          >
            <Logo className="size-7" />
            <span className="sr-only sm:not-sr-only">{brand.name}</span>
          </NavLink>
          <nav aria-label={t('Main')} className="ml-6 hidden gap-1 md:flex">
            {places.map(({ to, label }) => (
              <NavLink
                key={to}
                to={to}
                end={to === '/'}
                className="grid min-h-11 items-center rounded-field px-3 font-medium text-muted text-sm transition-colors hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:text-ink forced-colors:aria-[current=page]:underline"
              >
                {label}
              </NavLink>
            ))}
          </nav>
          <div className="ml-auto flex min-w-0 items-center gap-2">
            <span
              className="max-w-24 truncate text-muted text-sm sm:max-w-40 md:max-w-24 lg:max-w-40"
              title={username}
            >
              {username}
            </span>
            <ThemeToggle />
            <Button
              variant="quiet"
              size="icon"
              className="size-[44px] shrink-0"
              aria-label={t('Sign out {username}', { username })}
              title={t('Sign out')}
              onClick={leave}
            >
              <LogOut className="size-4.5" aria-hidden="true" />
            </Button>
          </div>
        </div>
      </header>
      <ConnectionNotice />
      <LoadFailure fallback={null}>
        <Suspense>
          <RecoveryBanner />
        </Suspense>
      </LoadFailure>
      <main id="content" tabIndex={-1} className="mx-auto max-w-5xl px-4 pt-6 sm:px-6 sm:pt-10">
        <LoadFailure key={pathname}>
          <Suspense fallback={<LoadingScreen />}>
            <Outlet />
          </Suspense>
        </LoadFailure>
        <Footer className="mt-10 border-line border-t pt-5" />
      </main>
      <PendingTray />
      <nav
        aria-label={t('Main')}
        className="fixed inset-x-0 bottom-0 z-10 grid auto-cols-fr grid-flow-col border-line border-t bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
      >
        {places.map(({ to, label, short, Icon }) => (
          <NavLink
            key={to}
            to={to}
            end={to === '/'}
            className="grid justify-items-center gap-0.5 py-2.5 text-center font-medium text-[min(0.6875rem,13px)] text-muted tracking-tight [overflow-wrap:anywhere] aria-[current=page]:text-ink forced-colors:aria-[current=page]:underline"
          >
            <Icon className="size-5" aria-hidden="true" />
            {short ?? label}
          </NavLink>
        ))}
      </nav>
    </div>
  )
}

interface Place {
  readonly to: string
  readonly label: string
  /** For the navigation of a phone, whose labels have 72 px. */
  readonly short?: string
  readonly Icon: LucideIcon
}

/** The main navigation. A new capability gets a line here and a route in `app.tsx`. */
export const places: readonly Place[] = [
  { to: '/', label: t('Home'), Icon: Wallet },
  { to: '/send', label: t('Send'), Icon: Send },
  { to: '/activity', label: t('Activity'), Icon: Clock },
  { to: '/protection', label: t('Protection'), Icon: ShieldCheck },
  ...(brand.features.sessionKeys
    ? [{ to: '/sessions', label: t('Session keys'), short: t('Sessions'), Icon: Timer }]
    : brand.features.connectedApps
      ? [{ to: '/connected-apps', label: t('Connected apps'), short: t('Apps'), Icon: Link2 }]
      : []),
]

/** Milliseconds between checks whether the screen has its data. */
const pause = 1_500

/**
 * Loads the font and the other screens once the first screen has all its data, so that they do not compete
 * for a slow connection.
 */
function useScreenPreload(): void {
  const queryClient = useQueryClient()
  const [isReady, setReady] = useState(false)
  useFont(isReady)
  useEffect(() => {
    const timer = setInterval(() => {
      const queries = queryClient.getQueryCache().getAll()
      if (!queries.some(({ state }) => state.dataUpdatedAt > 0) || queryClient.isFetching() > 0) return
      clearInterval(timer)
      setReady(true)
      void preloadScreens()
    }, pause)
    return () => clearInterval(timer)
  }, [queryClient])
}

/** Shown while a screen loads. */
function LoadingScreen() {
  return navigator.onLine ? (
    <ListSkeleton label={t('Loading')} />
  ) : (
    <Notice tone="warning" title={t('You are offline.')}>
      {t('This page opens as soon as you are connected.')}
    </Notice>
  )
}
