import { Clock, KeyRound, type LucideIcon, Send, Timer, Wallet } from 'lucide-react'

/** The main navigation. A new capability gets a line here and a route in `app.tsx`. */
export const places: readonly { to: string; label: string; Icon: LucideIcon }[] = [
  { to: '/', label: 'Home', Icon: Wallet },
  { to: '/send', label: 'Send', Icon: Send },
  { to: '/activity', label: 'Activity', Icon: Clock },
  { to: '/owners', label: 'Owners', Icon: KeyRound },
  { to: '/sessions', label: 'Session keys', Icon: Timer },
]
