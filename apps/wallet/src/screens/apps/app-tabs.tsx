import { brand } from '@lanyard/ui'
import { NavLink } from 'react-router'
import { t } from '../../i18n/t.ts'

/** What apps may do for the account, by screen. The operator can switch each off. */
export const appTabs: readonly { readonly to: string; readonly label: string }[] = [
  ...(brand.features.sessionKeys ? [{ to: '/sessions', label: t('Session keys') }] : []),
  ...(brand.features.connectedApps ? [{ to: '/connected-apps', label: t('Connected apps') }] : []),
]

/** Links between the screens of apps. */
export function AppTabs() {
  if (appTabs.length < 2) return null
  return (
    <nav aria-label={t('Apps')} className="flex flex-wrap rounded-field bg-sunken p-1">
      {appTabs.map(({ to, label }) => (
        <NavLink
          key={to}
          to={to}
          className="grid min-h-11 flex-1 basis-auto place-items-center rounded-[0.375rem] px-2 font-medium text-muted text-sm transition-colors hover:text-ink aria-[current=page]:bg-surface aria-[current=page]:text-ink aria-[current=page]:shadow-xs forced-colors:aria-[current=page]:underline"
        >
          {label}
        </NavLink>
      ))}
    </nav>
  )
}
