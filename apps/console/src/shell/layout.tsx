import { Button, ErrorBoundary, Logo, Notice, ThemeToggle } from '@lanyard/ui'
import { useMutation } from '@tanstack/react-query'
import {
  Activity,
  Building2,
  ClipboardList,
  Fingerprint,
  Gauge,
  KeyRound,
  Landmark,
  LogOut,
  Menu,
  ScrollText,
  UserCheck,
  Users,
  Webhook,
  X,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, NavLink, Outlet, useLocation } from 'react-router'
import { useMay } from '../api/may.ts'
import type { Outputs } from '../api/outputs.ts'
import { trpc } from '../api/trpc.ts'
import { useApprovals } from '../api/use-approvals.ts'
import { useSession } from '../api/use-session.ts'
import { PasskeyNotice } from './passkey-notice.tsx'

/** The frame of every screen: places on the left; on a phone, behind a button. */
export function Layout({ operator }: { operator: NonNullable<Outputs['session']['current']> }) {
  const [openedAt, setOpenedAt] = useState<string>()
  const { pathname } = useLocation()
  const isOpen = openedAt === pathname // following a link closes it
  const signOut = useMutation({
    mutationFn: () => trpc.session.signOut.mutate(),
    // A new page: nothing that this operator saw stays in memory.
    onSuccess: ({ next }) => location.assign(next ?? '/'),
  })
  return (
    <div className="min-h-dvh pb-10 md:grid md:grid-cols-[13.5rem_minmax(0,1fr)]">
      <button
        type="button"
        onClick={() => document.getElementById('content')?.focus()}
        className="sr-only z-20 rounded-field bg-primary px-4 py-2 text-on-primary focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </button>
      <header className="border-line border-b p-3 md:sticky md:top-0 md:flex md:h-dvh md:flex-col md:gap-4 md:overflow-y-auto md:border-r md:border-b-0 md:p-4">
        <div className="flex items-center justify-between gap-2">
          <Link to="/" className="flex min-h-11 items-center gap-1.5 rounded font-semibold tracking-tight">
            <Logo className="size-7" />
            Console
          </Link>
          <Button
            variant="quiet"
            size="icon"
            className="md:hidden"
            aria-expanded={isOpen}
            aria-controls="places"
            aria-label={isOpen ? 'Close the menu' : 'Open the menu'}
            onClick={() => setOpenedAt(isOpen ? undefined : pathname)}
          >
            {isOpen ? <X className="size-5" /> : <Menu className="size-5" />}
          </Button>
        </div>
        <div
          id="places"
          className={`${isOpen ? 'grid' : 'hidden'} gap-4 pt-2 md:flex md:flex-1 md:flex-col md:pt-0`}
        >
          <nav aria-label="Main" className="grid gap-0.5">
            {places.map((place) => (
              <Place key={place.to} {...place} />
            ))}
          </nav>
          <div className="grid gap-2 md:mt-auto">
            <NavLink
              to="/passkeys"
              aria-label={`Your passkeys: ${operator.name}, ${operator.role}`}
              title="Your passkeys"
              className="wrap-anywhere flex min-h-11 items-center gap-2.5 rounded-field px-2.5 text-sm transition-colors aria-[current=page]:bg-sunken md:min-h-9"
            >
              <Fingerprint className="size-4.5 shrink-0 text-muted" aria-hidden="true" />
              <span>
                {operator.name} <span className="text-muted">· {operator.role}</span>
              </span>
            </NavLink>
            <div className="flex items-center justify-between gap-2">
              <ThemeToggle />
              <Button
                variant="quiet"
                size="icon"
                aria-label="Sign out"
                title="Sign out"
                busy={signOut.isPending}
                onClick={() => signOut.mutate()}
              >
                <LogOut className="size-4.5" aria-hidden="true" />
              </Button>
            </div>
          </div>
        </div>
      </header>
      <main id="content" tabIndex={-1} className="mx-auto w-full min-w-0 max-w-6xl px-4 pt-6 sm:px-6 md:pt-8">
        <FailureBoundary key={pathname}>
          <PasskeyNotice {...operator} />
          <Outlet />
        </FailureBoundary>
      </main>
    </div>
  )
}

function Place({ to, label, Icon, role }: (typeof places)[number]) {
  const may = useMay(role)
  const { data: session } = useSession()
  const { data: approvals } = useApprovals()
  const isApprovals = to === '/approvals'
  if (!may || (isApprovals && !session?.hasApprovals)) return null
  const count = isApprovals ? approvals?.requests.filter(({ mayApprove }) => mayApprove).length : undefined
  return (
    <NavLink
      to={to}
      end={to === '/'}
      className="flex min-h-11 items-center gap-2.5 rounded-field px-2.5 font-medium text-muted text-sm transition-colors hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:text-ink md:min-h-9 forced-colors:aria-[current=page]:underline"
    >
      <Icon className="size-4.5" aria-hidden="true" />
      {label}
      {count ? (
        <span className="ml-auto rounded-full bg-primary px-2 text-on-primary text-xs">
          {count}
          <span className="sr-only"> for you to decide</span>
        </span>
      ) : null}
    </NavLink>
  )
}

/** Replaces a screen that could not be drawn, such as after an update of the service. */
const FailureBoundary = ({ children }: { children: ReactNode }) => (
  <ErrorBoundary
    fallback={
      <Notice
        tone="error"
        title="This screen could not be shown."
        action={
          <Button variant="secondary" size="small" onClick={() => location.reload()}>
            Reload
          </Button>
        }
      >
        If the service was updated, a reload gets the new pages.
      </Notice>
    }
  >
    {children}
  </ErrorBoundary>
)

/** The console's screens, in the order of the navigation. `role`: the least that sees it. */
const places = [
  { to: '/', label: 'Overview', Icon: Gauge, role: 'viewer' },
  { to: '/operations', label: 'Operations', Icon: Activity, role: 'viewer' },
  { to: '/accounts', label: 'Accounts', Icon: Users, role: 'viewer' },
  { to: '/policies', label: 'Policies', Icon: ClipboardList, role: 'viewer' },
  { to: '/keys', label: 'Keys', Icon: KeyRound, role: 'viewer' },
  { to: '/webhooks', label: 'Webhooks', Icon: Webhook, role: 'viewer' },
  { to: '/balance', label: 'Smart balance', Icon: Landmark, role: 'viewer' },
  { to: '/approvals', label: 'Approvals', Icon: UserCheck, role: 'support' },
  { to: '/audit', label: 'Audit log', Icon: ScrollText, role: 'operator' },
  { to: '/operators', label: 'Operators', Icon: Building2, role: 'admin' },
] as const
