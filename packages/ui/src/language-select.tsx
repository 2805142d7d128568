import { chooseLocale, locale, locales } from './locale.ts'
import { t } from './texts.ts'

/** Each language by its own name. */
const names = { en: 'English', de: 'Deutsch' } as const

/** Selects the language of the wallet. */
export function LanguageSelect() {
  return (
    <label className="inline-flex items-center gap-2 text-muted text-sm">
      <span className="sr-only">{t('Language')}</span>
      <select
        value={locale}
        onChange={({ target: { value } }) => {
          const next = locales.find((known) => known === value)
          if (next) chooseLocale(next)
        }}
        className="h-11 rounded-field border border-line bg-surface px-3 text-ink"
      >
        {locales.map((known) => (
          <option key={known} value={known} lang={known}>
            {names[known]}
          </option>
        ))}
      </select>
    </label>
  )
}
