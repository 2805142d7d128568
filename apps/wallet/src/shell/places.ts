import { brand } from '@lanyard/ui'
import { Clock, Link2, type LucideIcon, Send, ShieldCheck, Timer, Wallet } from 'lucide-react'
import { t } from '../i18n/t.ts'

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
