import { Notice } from '@lanyard/ui'
import { Link } from 'react-router'
import { t } from '../../i18n/t.ts'

interface NoLinkProps {
  /** Whether the address has a request that cannot be read. */
  readonly isBroken: boolean
  /** What the page is for, and where its link comes from. */
  readonly purpose: string
  /** The way for somebody who looked for something else. */
  readonly other: { readonly to: string; readonly label: string }
}

/** A page that only a link opens, opened without one, or with a damaged one. */
export function NoLink({ isBroken, purpose, other: { to, label } }: NoLinkProps) {
  return (
    <>
      {isBroken && (
        <Notice tone="error" title={t('This link cannot be used.')}>
          {t('Ask for it again. A part of it may be missing.')}
        </Notice>
      )}
      <p>{purpose}</p>
      <p>
        <Link to={to} className="touch-area font-medium text-accent underline underline-offset-4">
          {label}
        </Link>
      </p>
    </>
  )
}
