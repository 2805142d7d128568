import { ToggleGroup } from 'radix-ui'
import { t } from '../../i18n/t.ts'

const filters = [
  { value: 'all', label: t('All') },
  { value: 'sent', label: t('Sent') },
  { value: 'received', label: t('Received') },
  { value: 'combined', label: t('Combined balance') },
  { value: 'owners', label: t('Owners') },
  { value: 'sessions', label: t('Session keys') },
] as const

export type TimelineFilterValue = (typeof filters)[number]['value']

export const isFilter = (value: string | null): value is TimelineFilterValue =>
  filters.some((filter) => filter.value === value)

/** Selects the kinds of entries to show. */
export function TimelineFilter({
  value,
  onChange,
}: {
  value: TimelineFilterValue
  onChange: (value: TimelineFilterValue) => void
}) {
  return (
    <ToggleGroup.Root
      type="single"
      value={value}
      aria-label={t('Show')}
      onValueChange={(next) => isFilter(next) && onChange(next)}
      className="flex flex-wrap gap-2"
    >
      {filters.map((filter) => (
        <ToggleGroup.Item
          key={filter.value}
          value={filter.value}
          className="min-h-11 rounded-full border border-line px-4 font-medium text-muted text-sm transition-colors hover:text-ink data-[state=on]:border-transparent data-[state=on]:bg-primary data-[state=on]:text-on-primary forced-colors:data-[state=on]:bg-[Highlight] forced-colors:data-[state=on]:text-[HighlightText] forced-colors:data-[state=on]:forced-color-adjust-none"
        >
          {filter.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
