import { Avatar, CopyButton, FullAddress, LanguageSelect, ThemeToggle } from '@lanyard/ui'
import { ChevronRight, Languages, LogOut, type LucideIcon, ShieldCheck, Sun, Users } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { t } from '../i18n/t.ts'
import { useProtection } from '../owners/use-protection.ts'
import { readRecipients } from '../recipients/known-recipients.ts'
import { useSession, useSessionState } from '../sign-in/session-context.tsx'

const id = 'account-menu'

/**
 * Who is signed in, and what belongs to the account and not to a screen. A popover of the platform: Escape and a press
 * outside close it, and the focus returns to the button.
 */
export function AccountMenu() {
  const { username } = useSession()
  const { pathname } = useLocation()
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link in it has opened another screen
  useEffect(() => menu.current?.hidePopover?.(), [pathname])
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        className="flex min-h-11 min-w-0 items-center gap-2 rounded-full border border-line bg-surface p-1 font-medium text-sm hover:border-strong-line sm:pr-3.5"
      >
        <Avatar name={username} className="size-9 bg-primary text-on-primary" />
        <span className="sr-only">{t('Account of {username}', { username })}</span>
        <span className="hidden max-w-40 truncate sm:block" aria-hidden="true">
          {username}
        </span>
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="dialog"
        onToggle={({ newState }) => setOpen(newState === 'open')}
        aria-label={t('Account')}
        className="fixed inset-auto top-18 right-4 m-0 max-h-[calc(100dvh-5.5rem)] w-[min(20.5rem,calc(100vw-2rem))] overflow-y-auto rounded-card border border-line bg-surface text-ink shadow-lg sm:right-[max(1.5rem,calc(50vw-32.875rem))]"
      >
        {/* Only then does it ask what protects the account. */}
        {isOpen && <MenuContent />}
      </div>
    </>
  )
}

function MenuContent() {
  const { account, username } = useSession()
  const { signOut } = useSessionState()
  const navigate = useNavigate()
  const leave = () => {
    signOut()
    void navigate('/')
  }
  return (
    <>
      <div className="grid gap-3 p-4">
        <div className="flex min-w-0 items-center gap-3">
          <Avatar name={username} className="size-11 bg-primary text-on-primary text-lg" />
          <p className="grid min-w-0">
            <span className="truncate font-semibold">{username}</span>
            <span className="text-muted text-sm">{t('The same address on every network')}</span>
          </p>
        </div>
        <div className="grid gap-2 rounded-field bg-sunken p-3">
          <FullAddress address={account} />
          <CopyButton text={account} label={t('Copy your address')} />
        </div>
      </div>
      <div className="grid border-line border-t py-1.5">
        <ProtectionLink />
        <Row to="/contacts" Icon={Users}>
          <span className="flex-1">{t('Contacts')}</span>
          <span className="figures text-muted text-sm">
            {readRecipients(account).filter(({ contact }) => contact).length}
          </span>
        </Row>
      </div>
      <div className="grid border-line border-t py-1.5">
        <Setting Icon={Languages} label={t('Language')}>
          <LanguageSelect />
        </Setting>
        <Setting Icon={Sun} label={t('Theme')}>
          <ThemeToggle />
        </Setting>
      </div>
      <div className="grid border-line border-t py-1.5">
        <button
          type="button"
          onClick={leave}
          className="flex min-h-13 items-center gap-3 px-4 text-left hover:bg-sunken"
        >
          <LogOut className="size-5 shrink-0 text-muted" aria-hidden="true" />
          {t('Sign out')}
        </button>
      </div>
    </>
  )
}

function ProtectionLink() {
  const protection = useProtection()
  const { isCovered = false, text = t('Protection'), open } = protection ?? {}
  return (
    <Row to="/protection" Icon={ShieldCheck} tone={protection ? (isCovered ? 'good' : 'waiting') : undefined}>
      <span className="grid min-w-0 flex-1">
        <span>{text}</span>
        {open && <span className="text-cord-ink text-sm">{open}</span>}
      </span>
    </Row>
  )
}

interface RowProps {
  readonly to: string
  readonly Icon: LucideIcon
  readonly tone?: 'good' | 'waiting' | undefined
  readonly children: ReactNode
}

function Row({ to, Icon, tone, children }: RowProps) {
  const color = tone === 'good' ? 'text-accent' : tone === 'waiting' ? 'text-cord-ink' : 'text-muted'
  return (
    <Link to={to} className="flex min-h-13 items-center gap-3 px-4 py-1.5 hover:bg-sunken">
      <Icon className={`size-5 shrink-0 ${color}`} aria-hidden="true" />
      {children}
      <ChevronRight className="size-4 shrink-0 text-muted" aria-hidden="true" />
    </Link>
  )
}

interface SettingProps {
  readonly Icon: LucideIcon
  readonly label: string
  readonly children: ReactNode
}

function Setting({ Icon, label, children }: SettingProps) {
  return (
    <div className="flex min-h-13 flex-wrap items-center gap-3 px-4 py-1">
      <Icon className="size-5 shrink-0 text-muted" aria-hidden="true" />
      <span className="flex-1" aria-hidden="true">
        {label}
      </span>
      {children}
    </div>
  )
}
