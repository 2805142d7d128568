import { describePermissions, type Session as SessionLimits } from '@lanyard/session-keys'
import type { Currency } from '../amounts/currency.ts'
import { rich } from '../i18n/t.ts'
import { SessionEnd } from './session-end.tsx'
import { sessionTerms } from './session-terms.ts'

interface SessionWordsProps {
  readonly session: SessionLimits
  readonly currencies: readonly Currency[]
}

/** The permissions of a session, one sentence for each limit, computed on this device. */
export function SessionWords({ session, currencies }: SessionWordsProps) {
  // The first sentence is the validity period in UTC.
  const [, ...sentences] = describePermissions(session, sessionTerms(currencies))
  return (
    <ul className="grid list-disc gap-1.5 pl-5 text-sm [overflow-wrap:anywhere]">
      <li>{rich('Until {time}.', { time: <SessionEnd seconds={session.validUntil} /> })}</li>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}
