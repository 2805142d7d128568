import { Clock, KeyRound, Link2, type LucideIcon, Send, Timer, Wallet } from 'lucide-react'
import { brand } from '../brand/brand.ts'
import { t } from '../i18n/t.ts'

/** The main navigation. A new capability gets a line here and a route in `app.tsx`. */
export const places: readonly { to: string; label: string; Icon: LucideIcon }[] = [
  { to: '/', label: t('Home'), Icon: Wallet },
  { to: '/send', label: t('Send'), Icon: Send },
  { to: '/activity', label: t('Activity'), Icon: Clock },
  { to: '/owners', label: t('Owners'), Icon: KeyRound },
  ...(brand.features.sessionKeys
    ? [{ to: '/sessions', label: t('Session keys'), Icon: Timer }]
    : brand.features.connectedApps
      ? [{ to: '/connected-apps', label: t('Connected apps'), Icon: Link2 }]
      : []),
]
