import { brand, LanguageSelect } from '@lanyard/ui'
import { t } from '../i18n/t.ts'

const labels = {
  support: t('Support'),
  terms: t('Terms'),
  privacy: t('Privacy'),
  imprint: t('Imprint'),
}

interface FooterProps {
  readonly className?: string
  /** Whether the language is chosen here. Signed in, it is in the account's menu. */
  readonly withLanguage?: boolean
}

/** The operator's links. */
export function Footer({ className = '', withLanguage = true }: FooterProps) {
  const links = Object.entries(labels).flatMap(([kind, label]) => {
    const href = brand.links[kind as keyof typeof labels]
    return href === undefined ? [] : [{ href, label }]
  })
  if (!withLanguage && links.length === 0) return null
  return (
    <footer className={`flex flex-wrap items-center justify-between gap-x-5 gap-y-3 ${className}`}>
      {withLanguage && <LanguageSelect />}
      {links.length > 0 && (
        <nav aria-label={brand.name} className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {links.map(({ href, label }) => (
            <a
              key={href}
              href={href}
              target="_blank"
              rel="noreferrer"
              className="touch-area min-w-11 text-center text-muted underline underline-offset-4 hover:text-ink"
            >
              {label}
            </a>
          ))}
        </nav>
      )}
    </footer>
  )
}
