import { ToggleGroup } from 'radix-ui'

const filters = [
  { value: 'all', label: 'All' },
  { value: 'sent', label: 'Sent' },
  { value: 'received', label: 'Received' },
  { value: 'combined', label: 'Combined balance' },
  { value: 'owners', label: 'Owners' },
  { value: 'sessions', label: 'Session keys' },
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
      aria-label="Show"
      onValueChange={(next) => isFilter(next) && onChange(next)}
      className="flex flex-wrap gap-2"
    >
      {filters.map((filter) => (
        <ToggleGroup.Item
          key={filter.value}
          value={filter.value}
          className="min-h-11 rounded-full border border-line px-4 font-medium text-muted text-sm transition-colors hover:text-ink data-[state=on]:border-transparent data-[state=on]:bg-primary data-[state=on]:text-on-primary"
        >
          {filter.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  )
}
