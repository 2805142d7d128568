import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import { useQuery } from '@tanstack/react-query'
import { type Address, isAddressEqual } from 'viem'
import { trpc } from '../api/trpc.ts'
import { t } from '../i18n/t.ts'
import { type Network, useNetworks } from '../networks/use-networks.ts'
import { useSession } from '../sign-in/session-context.tsx'

type ListedNetwork = EndpointOutput<typeof endpoints.owner.list>['networks'][number]
type ListedOwner = NonNullable<ListedNetwork['owners']>[number]

/** An owner, with the networks on which it is one. */
export interface Owner {
  readonly address: Address
  /** `sessions`: the SessionKeys contract, which acts only within granted sessions. */
  readonly kind: ListedOwner['kind'] | 'sessions'
  readonly label: string | undefined
  readonly credentialId: string | undefined
  readonly chainIds: readonly number[]
}

/** The owners of the account, and the level of protection on each network. */
export interface Ownership {
  readonly owners: readonly Owner[]
  /** Networks that answered. */
  readonly known: readonly number[]
  /** Networks with a single owner: losing it means losing the account there. */
  readonly unprotected: readonly number[]
  readonly down: readonly number[]
}

/**
 * Merges the owner lists of the networks. The Safe lists SessionKeys as an owner, but it does not help if the
 * other owners are lost.
 */
export function toOwnership(
  listedNetworks: readonly ListedNetwork[],
  configured: readonly Pick<Network, 'chainId' | 'sessionKeys'>[] = [],
): Ownership {
  const networks = listedNetworks.map(({ network, status, owners }) => {
    const sessionKeys = configured.find(({ chainId }) => chainId === network)?.sessionKeys
    return { network, status, owners: owners?.map((owner) => withSessions(owner, sessionKeys)) }
  })
  const owners = new Map<string, Owner>()
  const answered = networks.filter(({ status, owners }) => status === 'up' && owners)
  for (const { network, owners: listed = [] } of answered)
    for (const { address, kind, label, credentialId } of listed) {
      const key = address.toLowerCase()
      const chainIds = [...(owners.get(key)?.chainIds ?? []), network]
      owners.set(key, { address, kind, label: shownLabel(label), credentialId, chainIds })
    }
  const merged = [...owners.values()].sort((a, b) => b.chainIds.length - a.chainIds.length)
  const known = answered.map(({ network }) => network)
  return {
    owners: merged,
    known,
    unprotected: unprotectedBy(merged, known),
    down: networks.filter((network) => !answered.includes(network)).map(({ network }) => network),
  }
}

/** The service names the passkey of a new account; all other labels are the person's own. */
const shownLabel = (label: string | undefined) => (label === 'First passkey' ? t('First passkey') : label)

/** The same once the removals that were started are finished: an owner who leaves, perhaps a lost phone, protects nothing. */
export function withoutLeaving(ownership: Ownership, removals: ReadonlySet<string>): Ownership {
  const owners = ownership.owners.filter(({ address }) => !removals.has(address.toLowerCase()))
  return { ...ownership, owners, unprotected: unprotectedBy(owners, ownership.known) }
}

const unprotectedBy = (owners: readonly Owner[], known: readonly number[]): readonly number[] =>
  known.filter(
    (network) =>
      owners.filter(({ kind, chainIds }) => kind !== 'sessions' && chainIds.includes(network)).length < 2,
  )

type OwnerOnNetwork = Omit<ListedOwner, 'kind'> & Pick<Owner, 'kind'>

const withSessions = (owner: ListedOwner, sessionKeys: Address | undefined): OwnerOnNetwork =>
  sessionKeys && isAddressEqual(owner.address, sessionKeys) ? { ...owner, kind: 'sessions' } : owner

/** The account's owners, read from the chains. */
export function useOwners() {
  const { account } = useSession()
  const { data: networks } = useNetworks()
  return useQuery({
    queryKey: ['owners', account],
    queryFn: ({ signal }) => trpc.owner.list.query({ walletAddress: account }, { signal }),
    select: (answer) => toOwnership(answer.networks, networks),
  })
}
