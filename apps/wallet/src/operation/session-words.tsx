import { addressOfKey, type Currency, nativeOf } from '@lanyard/calls'
import {
  type DescriptionTerms,
  describePermissions,
  type Session as SessionLimits,
} from '@lanyard/session-keys'
import { FullAddress, formatAmount, Identicon, Time } from '@lanyard/ui'
import type { Hex } from 'viem'
import { rich, t } from '../i18n/t.ts'
import { knownFunctions } from './known-functions.ts'

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

/** How this wallet describes a session. It shows amounts only of tokens that it knows. */
function sessionTerms(currencies: readonly Currency[]): DescriptionTerms {
  return {
    native: nativeOf(currencies),
    tokens: currencies.flatMap(({ token, symbol, decimals }) =>
      token ? [{ address: token, symbol, decimals }] : [],
    ),
    functions: knownFunctions(),
    say: t,
    format: formatAmount,
  }
}

/** Dates end at the year 275760 (ECMA-262 §21.4.1.1), but validUntil can be later. */
const lastDate = 8_640_000_000_000

/** When a session ends, in the person's own time zone. */
export function SessionEnd({ seconds }: { seconds: number }) {
  return seconds > lastDate ? t('No end') : <Time at={new Date(seconds * 1_000).toISOString()} />
}

/** The full key of a session, since people decide based on it. */
export function KeyName({ keyId }: { keyId: Hex }) {
  const address = addressOfKey(keyId)
  if (address)
    return (
      <span className="flex items-center gap-2.5">
        <Identicon address={address} className="size-8" />
        <FullAddress address={address} />
      </span>
    )
  return (
    <p className="text-sm">
      {rich('P-256 key {code}', { code: <code className="break-all font-mono text-xs">{keyId}</code> })}
    </p>
  )
}
