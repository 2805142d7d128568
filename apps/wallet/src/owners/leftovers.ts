import {
  type Call,
  defaultDeployment,
  encodeDisableModule,
  encodeRemoveGuard,
  encodeSetHandler,
} from '@lanyard/accounts'
import { knownModule } from '@lanyard/calls'
import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import { useQuery } from '@tanstack/react-query'
import { type Address, isAddressEqual } from 'viem'
import { trpc } from '../api/trpc.ts'
import { type Network, useNetworks } from '../networks/use-networks.ts'
import { useSession } from '../sign-in/session-context.tsx'

type Parts = NonNullable<EndpointOutput<typeof endpoints.owner.list>['networks'][number]['parts']>

/** A contract that can act for the account, or decides what counts there, and that this wallet does not know. */
export interface Leftover {
  readonly kind: 'module' | 'guard' | 'handler'
  readonly address: Address
  readonly network: Network
  /** The account's call that removes it. */
  readonly call: Call
}

/** What outlives a change of owners on one network: a thief may have put it there. */
export function leftoversOf(account: Address, network: Network, parts: Parts): readonly Leftover[] {
  const { modules, guard, fallbackHandler } = parts
  const { module } = defaultDeployment
  const known = [module, knownModule(network)]
  const foreign = modules.flatMap((address): Leftover[] => {
    if (known.some((one) => isAddressEqual(one, address))) return []
    const call = encodeDisableModule({ account, module: address, modules })
    return call ? [{ kind: 'module', address, network, call }] : []
  })
  const found = [...foreign]
  if (guard) found.push({ kind: 'guard', address: guard, network, call: encodeRemoveGuard({ account }) })
  if (!isAddressEqual(fallbackHandler, module)) {
    const call = encodeSetHandler({ account, handler: module })
    found.push({ kind: 'handler', address: fallbackHandler, network, call })
  }
  return found
}

/** What is left on each network that answers. Read when the screen opens: it needs four reads of each chain. */
export function useLeftovers(): readonly Leftover[] {
  const { account } = useSession()
  const { data: networks = [] } = useNetworks()
  const { data } = useQuery({
    // The key starts with "owners", so that an included operation invalidates it.
    queryKey: ['owners', account, 'parts'],
    queryFn: ({ signal }) => trpc.owner.list.query({ walletAddress: account, parts: true }, { signal }),
  })
  return (data?.networks ?? []).flatMap(({ network: chainId, parts }) => {
    const network = networks.find((one) => one.chainId === chainId)
    return network && parts ? leftoversOf(account, network, parts) : []
  })
}
