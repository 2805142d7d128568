import { readStoredList, writeStored } from '@lanyard/ui'
import type { Address } from 'viem'
import type { GrantedSession } from '../session-keys/granted-session.ts'

/** A network that an owner left without ending the session keys there: those that it granted go on. */
interface Departure {
  readonly chainId: number
  /** The sessions that may be the owner's, as {@link nameSession} names them. */
  readonly sessions: readonly string[]
}

type NamedSession = Pick<GrantedSession, 'chainId' | 'keyId' | 'state'> & {
  readonly session: Pick<GrantedSession['session'], 'validAfter' | 'validUntil'>
}

const keyOf = (account: Address) => `lanyard.departures.${account.toLowerCase()}`

/** A key that is granted anew has other times. */
const nameSession = ({ keyId, session: { validAfter, validUntil } }: NamedSession) =>
  `${keyId} ${validAfter} ${validUntil}`

/** Remembers in this browser the sessions that are open where an owner had left in another way. */
export function rememberDeparture(
  account: Address,
  chainId: number,
  sessions: readonly NamedSession[],
): void {
  const open = openOn(chainId, sessions).map(nameSession)
  if (open.length === 0) return
  const others = readDepartures(account).filter((one) => one.chainId !== chainId)
  writeStored(keyOf(account), [...others, { chainId, sessions: open }])
}

/** The networks on which such sessions are still open. */
export const findDepartures = (account: Address, sessions: readonly NamedSession[]): readonly number[] =>
  readDepartures(account).flatMap((one) =>
    openOn(one.chainId, sessions).some((session) => one.sessions.includes(nameSession(session)))
      ? [one.chainId]
      : [],
  )

const openOn = (chainId: number, sessions: readonly NamedSession[]) =>
  sessions.filter((one) => one.chainId === chainId && one.state !== 'expired')

function readDepartures(account: Address): readonly Departure[] {
  return readStoredList(keyOf(account)).filter(isDeparture)
}

const isDeparture = (value: unknown): value is Departure =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'chainId') === 'number' &&
  Array.isArray(Reflect.get(value, 'sessions'))
