import { decodeOwnerChange, type GuardianSet } from '@lanyard/accounts'
import { tryDecode } from '@lanyard/calls'
import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import { useQuery } from '@tanstack/react-query'
import { type Hex, keccak256 } from 'viem'
import { trpc } from '../api/trpc.ts'
import { useIsLive } from '../events/stream-health.ts'
import { useSession } from '../sign-in/session-context.tsx'
import { type GuardianOverview, mostCommon } from './guardian.ts'

/** Where the account's owner changes, guardians and recoveries stand on each network. */
export type OwnershipStatus = EndpointOutput<typeof endpoints.ownership.status>

/** A change that an owner signed, with its progress. */
export type SignedChange = OwnershipStatus['changes'][number]

/** Milliseconds: while networks apply a change, and otherwise. A recovery that somebody starts is shown within the latter. */
const pollInterval = { applying: 2_000, idle: 30_000 } as const

/** Whether the service still works on the change somewhere. What waits for the person is not polled for. */
export const isApplying = ({ networks }: Pick<SignedChange, 'networks'>): boolean =>
  networks.some(
    ({ state, reason }) => state === 'applied' || (state === 'pending' && reason !== 'NOT_ENABLED'),
  )

/** The state of the Ownership module for this account. */
export function useOwnership() {
  const { account } = useSession()
  const isLive = useIsLive()
  return useQuery({
    queryKey: ['ownership', account],
    queryFn: ({ signal }) => trpc.ownership.status.query({ walletAddress: account }, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.changes.some(isApplying) ? pollInterval.applying : isLive ? false : pollInterval.idle,
  })
}

/** The guardians that a signed change names. Undefined for a change of another kind. */
export function guardiansOf({ kind, data }: Pick<SignedChange, 'kind' | 'data'>): GuardianSet | undefined {
  // The schema has `string` where viem has a template literal.
  const change = tryDecode(() => decodeOwnerChange({ kind: kind as Hex, data: data as Hex }))
  return change?.kind === 'setGuardians' ? change.guardians : undefined
}

/** The guardians of an account, as far as this service knows them. */
export interface GuardiansInForce {
  /** Undefined: there are none anywhere. Where networks differ, those of most networks. */
  readonly guardians: GuardianSet | 'unknown' | undefined
  /** What those networks keep of them. */
  readonly hash: string | undefined
  /** Networks on which they are in force. */
  readonly chainIds: readonly number[]
}

/** A network keeps only the hash of its guardians: the signed changes say who they are. */
export function guardiansInForce({ networks, changes }: OwnershipStatus): GuardiansInForce {
  const hash = mostCommon(networks.flatMap(({ guardians }) => guardians ?? []))
  if (hash === undefined) return { guardians: undefined, hash, chainIds: [] }
  const change = changes.find(
    ({ kind, data }) => guardiansOf({ kind, data }) && keccak256(data as Hex) === hash,
  )
  return {
    hash,
    guardians: (change && guardiansOf(change)) ?? 'unknown',
    chainIds: networks.filter(({ guardians }) => guardians === hash).map(({ network }) => network),
  }
}

/** Guardians beside those of most networks: they count on some networks only, or from a later time on. */
export interface OtherGuardians {
  readonly hash: string
  /** Undefined: this service does not know them. */
  readonly guardians: GuardianSet | undefined
  readonly networks: readonly number[]
  /** Unix seconds from which they count; undefined: they count today. */
  readonly from: number | undefined
}

type NamedSet = NonNullable<GuardianOverview['networks'][number]['current']>

/**
 * Finds the guardians whom an owner may not have chosen: a thief who owned the account can set them, on one network or during a
 * recovery.
 *
 * @param inForce - the hash of the guardians of most networks; undefined: there are none
 */
export function otherGuardians(
  { networks }: Pick<GuardianOverview, 'networks'>,
  inForce: string | undefined,
): readonly OtherGuardians[] {
  const found = new Map<string, OtherGuardians>()
  const add = (network: number, set: NamedSet | undefined, from?: number) => {
    if (!set || set.hash === inForce) return
    const key = `${set.hash} ${from === undefined}`
    const known = found.get(key)
    found.set(key, {
      hash: set.hash,
      guardians: set.guardians,
      networks: [...(known?.networks ?? []), network],
      from: from === undefined ? undefined : Math.min(from, known?.from ?? from),
    })
  }
  for (const { network, current, next } of networks) {
    add(network, current)
    // The zero hash names none, who can do nothing.
    if (next && BigInt(next.hash) !== 0n) add(network, next, next.from)
  }
  return [...found.values()]
}
