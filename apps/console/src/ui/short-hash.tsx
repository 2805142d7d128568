import { Link } from 'react-router'

const shorten = (hash: string) => (hash.length > 20 ? `${hash.slice(0, 8)}…${hash.slice(-6)}` : hash)

/** A hash or address, short, with the whole one on hover; a link if the console shows more of it. */
export function ShortHash({ hash, to }: { hash: string; to?: string }) {
  const code = (
    <code className="font-mono text-[0.8125rem]" title={hash} translate="no">
      {shorten(hash)}
    </code>
  )
  if (to === undefined) return code
  return (
    <Link
      to={to}
      className="touch-area inline-block leading-6 text-accent underline decoration-1 underline-offset-4"
    >
      {code}
    </Link>
  )
}
