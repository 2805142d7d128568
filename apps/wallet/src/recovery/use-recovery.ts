import { toModuleOwner } from '@lanyard/accounts'
import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import { useQuery } from '@tanstack/react-query'
import type { Hex } from 'viem'
import { trpc } from '../api/trpc.ts'
import type { SignedChange } from '../guardians/use-ownership.ts'
import { t } from '../i18n/t.ts'
import type { RecoveryRequest } from './recovery-link.ts'

/** Where an account's recoveries stand. */
export type RecoveryStatus = EndpointOutput<typeof endpoints.recovery.status>

/** One recovery, on each network. */
export type KnownRecovery = RecoveryStatus['recoveries'][number]

/** Milliseconds. People wait for each other here. */
const pollInterval = 5_000

/** The recoveries of an account, whose owner is perhaps signed in nowhere. */
export const useRecovery = (account: string) =>
  useQuery({
    queryKey: ['recovery', account],
    queryFn: ({ signal }) => trpc.recovery.status.query({ account }, { signal }),
    refetchInterval: pollInterval,
  })

/** The recovery to this passkey, if a guardian signed it. */
export const recoveryTo = (
  { recoveries }: RecoveryStatus,
  { newOwner }: Pick<RecoveryRequest, 'newOwner'>,
): KnownRecovery | undefined => {
  return recoveries.find(
    ({ newOwners: [only, ...others] }) => only && others.length === 0 && isPasskey(only, newOwner),
  )
}

type NamedOwner = KnownRecovery['newOwners'][number]

function isPasskey(named: NamedOwner, passkey: RecoveryRequest['newOwner']): boolean {
  if (!('x' in named)) return false
  // The schema has `string` where viem has a template literal.
  const { x, y, verifiers } = named as Readonly<Record<'x' | 'y' | 'verifiers', Hex>>
  const { key } = toModuleOwner(passkey)
  return `${x}${y.slice(2)}${verifiers.slice(2)}`.toLowerCase() === key.toLowerCase()
}

/** Whether a login asked for exactly this: for this account, and this passkey. */
export const isAskedByLogin = (
  { request }: RecoveryStatus,
  { newOwner }: Pick<RecoveryRequest, 'newOwner'>,
): boolean => request !== undefined && isPasskey(request.newOwner, newOwner)

/** Whether a recovery has ended without an outcome. A network that does not answer follows the others: one signature cancels all. */
export const isCancelled = ({ networks }: Pick<KnownRecovery, 'networks'>): boolean =>
  networks.some(({ state }) => state === 'cancelled') &&
  networks.every(({ state }) => state === 'cancelled' || state === 'unknown')

/** Who or what ended a recovery, as far as this service knows. */
export function endingOf(
  { networks, recoveries, cancellations }: RecoveryStatus,
  { sequence, number, messageToSign }: Pick<KnownRecovery, 'sequence' | 'number' | 'messageToSign'>,
): 'replaced' | 'guardians' | 'owner' {
  const isLater = (message: { readonly sequence: string; readonly number: string }) =>
    message.sequence === sequence && BigInt(message.number) > BigInt(number)
  const isReplaced =
    networks.some(({ running }) => running && running.messageToSign !== messageToSign) ||
    recoveries.some((other) => isLater(other) && other.networks.some(({ state }) => state === 'executed'))
  if (isReplaced) return 'replaced'
  const isTakenBack = cancellations.some(
    (other) =>
      (isLater(other) || (other.sequence === sequence && other.number === number)) &&
      other.networks.some(({ isDone }) => isDone),
  )
  return isTakenBack ? 'guardians' : 'owner'
}

/** A passkey as requests name it. */
export function namedOwner({ newOwner }: Pick<RecoveryRequest, 'newOwner'>) {
  const { key } = toModuleOwner(newOwner)
  const part = (from: number, to: number): Hex => `0x${key.slice(2 + 2 * from, 2 + 2 * to)}`
  return { x: part(0, 32), y: part(32, 64), verifiers: part(64, 86) }
}

type WaitReason = NonNullable<
  SignedChange['networks'][number]['reason'] | KnownRecovery['networks'][number]['reason']
>

/** What a network waits for that does not have a signed change or a recovery yet. */
export const waitReasons: Readonly<Record<WaitReason, string>> = {
  NOT_ENABLED: t('Guardians are not turned on there'),
  NO_GUARDIANS: t('No guardians there'),
  UNKNOWN_GUARDIANS: t('This service does not know the guardians there'),
  NOT_SPONSORED: t('This service does not pay for it there'),
  BUDGET_SPENT: t('Continues tomorrow'),
  WAITING: t('Waits for an earlier change'),
  FAILED: t('Will be tried again'),
}
