import { ExternalLink } from 'lucide-react'
import type { Hex } from 'viem'
import { t } from './texts.ts'

/** A transaction's hash, as a link if the network has an explorer. */
export function HashLink({ hash, explorerUrl }: { hash: Hex; explorerUrl: string | undefined }) {
  const short = `${hash.slice(0, 10)}…${hash.slice(-8)}`
  if (!explorerUrl)
    return (
      <code className="break-all font-mono text-sm" title={hash}>
        {short}
      </code>
    )
  return (
    <a
      href={`${explorerUrl.replace(/\/$/, '')}/tx/${hash}`}
      target="_blank"
      rel="noreferrer"
      className="touch-area inline-flex items-center gap-1 font-mono text-accent text-sm underline decoration-1 underline-offset-4"
    >
      {short}
      <ExternalLink className="size-3.5" aria-hidden="true" />
      <span className="sr-only">{t('(opens the explorer in a new tab)')}</span>
    </a>
  )
}
