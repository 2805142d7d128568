import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { trpc } from '../api/trpc.ts'
import { useSession } from '../session/session-context.tsx'

type ListedNetwork = EndpointOutput<typeof endpoints.owner.list>['networks'][number]
type ListedOwner = NonNullable<ListedNetwork['owners']>[number]

/** An owner, with the networks where it is one. */
export interface Owner {
  readonly address: Address
  readonly kind: ListedOwner['kind']
  readonly label: string | undefined
  readonly credentialId: string | undefined
  readonly chainIds: readonly number[]
}

/** The owners of the account, and what that means on each network. */
export interface Ownership {
  readonly owners: readonly Owner[]
  /** Networks that answered. */
  readonly known: readonly number[]
  /** Those with one owner only: whoever loses it loses the account there. */
  readonly unprotected: readonly number[]
  readonly down: readonly number[]
}

/** Puts the lists of the networks together. */
export function toOwnership(networks: readonly ListedNetwork[]): Ownership {
  const owners = new Map<string, Owner>()
  const answered = networks.filter(({ status, owners }) => status === 'up' && owners)
  for (const { network, owners: listed = [] } of answered)
    for (const { address, kind, label, credentialId } of listed) {
      const key = address.toLowerCase()
      const chainIds = [...(owners.get(key)?.chainIds ?? []), network]
      owners.set(key, { address, kind, label, credentialId, chainIds })
    }
  return {
    owners: [...owners.values()].sort((a, b) => b.chainIds.length - a.chainIds.length),
    known: answered.map(({ network }) => network),
    unprotected: answered.filter(({ owners = [] }) => owners.length < 2).map(({ network }) => network),
    down: networks.filter((network) => !answered.includes(network)).map(({ network }) => network),
  }
}

/** Who owns the account, read from the chains. */
export function useOwners() {
  const { account } = useSession()
  return useQuery({
    queryKey: ['owners', account],
    queryFn: async () => toOwnership((await trpc.owner.list.query({ walletAddress: account })).networks),
  })
}
