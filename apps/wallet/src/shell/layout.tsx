import { brand, ListSkeleton, Logo, Notice, useFont } from '@lanyard/ui'
import { useQueryClient } from '@tanstack/react-query'
import { Clock, House, LayoutGrid, type LucideIcon, Send, ShieldCheck } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { NavLink, Outlet, useLocation } from 'react-router'
import { useEventStream } from '../events/use-event-stream.ts'
import { Footer } from '../i18n/footer.tsx'
import { t } from '../i18n/t.ts'
import { appTabs } from '../screens/apps/app-tabs.tsx'
import { preloadScreens } from '../screens/screens.ts'
import { AccountMenu } from './account-menu.tsx'
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
  const { pathname } = useLocation()
  useScreenPreload()
  useEventStream()
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
        <div className="mx-auto flex min-h-16 max-w-275 items-center gap-2 px-4 sm:gap-3 sm:px-6">
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
          <div className="ml-auto flex min-w-0 items-center">
            <AccountMenu />
          </div>
        </div>
      </header>
      <ConnectionNotice />
      <LoadFailure fallback={null}>
        <Suspense>
          <RecoveryBanner />
        </Suspense>
      </LoadFailure>
      <PendingTray />
      <main id="content" tabIndex={-1} className="mx-auto max-w-275 px-4 pt-6 sm:px-6 sm:pt-10">
        <LoadFailure key={pathname}>
          <Suspense fallback={<LoadingScreen />}>
            <Outlet />
          </Suspense>
        </LoadFailure>
        <Footer withLanguage={false} className="mt-10 border-line border-t pt-5" />
      </main>
      <nav
        aria-label={t('Main')}
        className="fixed inset-x-0 bottom-0 z-10 grid auto-cols-fr grid-flow-col border-line border-t bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
      >
        {withSend.map(({ to, label, Icon }) => (
          <NavLink
            key={to}
            to={to}
            end={to === '/'}
            className="group grid min-h-16 content-center justify-items-center gap-0.5 text-center font-medium text-[min(0.6875rem,13px)] text-muted tracking-tight [overflow-wrap:anywhere] aria-[current=page]:text-ink forced-colors:aria-[current=page]:underline"
          >
            <span
              className={
                to === '/send'
                  ? 'grid h-[30px] w-12 place-items-center rounded-full bg-primary text-on-primary'
                  : 'grid h-[30px] place-items-center'
              }
            >
              <Icon className="size-5" aria-hidden="true" />
            </span>
            {label}
          </NavLink>
        ))}
      </nav>
    </div>
  )
}

interface Place {
  readonly to: string
  readonly label: string
  readonly Icon: LucideIcon
}

/** The main navigation. A new capability gets a line here and a route in `app.tsx`. */
export const places: readonly Place[] = [
  { to: '/', label: t('Home'), Icon: House },
  { to: '/activity', label: t('Activity'), Icon: Clock },
  { to: '/protection', label: t('Protection'), Icon: ShieldCheck },
  ...(appTabs[0] ? [{ to: appTabs[0].to, label: t('Apps'), Icon: LayoutGrid }] : []),
]

/** A phone has Send in the middle of its bar; elsewhere it is the first action of Home. */
const withSend = places.toSpliced(Math.ceil(places.length / 2), 0, {
  to: '/send',
  label: t('Send'),
  Icon: Send,
})

/** Milliseconds between checks whether the screen has its data. */
const checkInterval = 1_500

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
    }, checkInterval)
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
