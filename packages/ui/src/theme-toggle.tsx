import { Monitor, Moon, Sun } from 'lucide-react'
import { ToggleGroup } from 'radix-ui'
import { useState } from 'react'
import { t } from './texts.ts'
import { applyTheme, readTheme, themes } from './theme.ts'

const icons = { system: Monitor, light: Sun, dark: Moon } as const
const labels = { system: t('Like the system'), light: t('Light'), dark: t('Dark') } as const

/** Selects light, dark or the system's theme. */
export function ThemeToggle() {
  const [theme, setTheme] = useState(readTheme)
  return (
    <ToggleGroup.Root
      type="single"
      value={theme}
      aria-label={t('Theme')}
      onValueChange={(value) => {
        const next = themes.find((candidate) => candidate === value)
        if (!next) return
        applyTheme(next)
        setTheme(next)
      }}
      className="inline-flex shrink-0 rounded-full border border-line p-0.5"
    >
      {themes.map((value) => {
        const Icon = icons[value]
        return (
          <ToggleGroup.Item
            key={value}
            value={value}
            aria-label={labels[value]}
            title={labels[value]}
            className="grid size-[44px] md:pointer-fine:size-7 place-items-center rounded-full text-muted hover:text-ink data-[state=on]:bg-sunken data-[state=on]:text-ink forced-colors:data-[state=on]:bg-[Highlight] forced-colors:data-[state=on]:text-[HighlightText] forced-colors:data-[state=on]:forced-color-adjust-none"
          >
            <Icon className="size-4 max-w-[24px]" aria-hidden="true" />
          </ToggleGroup.Item>
        )
      })}
    </ToggleGroup.Root>
  )
}
