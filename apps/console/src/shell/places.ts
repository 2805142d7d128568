import {
  Activity,
  Building2,
  ClipboardList,
  Gauge,
  KeyRound,
  Landmark,
  ScrollText,
  UserCheck,
  Users,
  Webhook,
} from 'lucide-react'

/** The console's screens, in the order of the navigation. `role`: the least that sees it. */
export const places = [
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
