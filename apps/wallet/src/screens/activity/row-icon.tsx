import type { LucideIcon } from 'lucide-react'

/** Shows the direction of an entry. The text says the same. */
export function RowIcon({ Icon, tone }: { Icon: LucideIcon; tone: 'good' | 'neutral' }) {
  return (
    <span
      className={`mt-0.5 grid size-9 shrink-0 place-items-center rounded-full ${
        tone === 'good' ? 'bg-accent-soft text-accent' : 'bg-sunken text-muted'
      }`}
      aria-hidden="true"
    >
      <Icon className="size-4.5" />
    </span>
  )
}
