import { NavLink } from 'react-router'
import { t } from '../../i18n/t.ts'

const sources = [
  { to: '/send', label: t('One network') },
  { to: '/send/anywhere', label: t('Combined balance') },
] as const

/** Selects the source of the money. Each source has its own screen. */
export function SendSource() {
  return (
    <nav aria-label={t('Send from')} className="grid auto-cols-fr grid-flow-col rounded-field bg-sunken p-1">
      {sources.map(({ to, label }) => (
        <NavLink
          key={to}
          to={to}
          end
          className="grid h-11 place-items-center rounded-[0.375rem] px-2 font-medium text-muted text-sm transition-colors hover:text-ink aria-[current=page]:bg-surface aria-[current=page]:text-ink aria-[current=page]:shadow-sm"
        >
          {label}
        </NavLink>
      ))}
    </nav>
  )
}
