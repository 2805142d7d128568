import type { Call } from '@lanyard/accounts'
import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import type { Address } from 'viem'
import { trpc } from '../api/trpc.ts'
import { readServiceError } from '../errors/service-error.ts'
import type { OwnerCandidate } from './owner-candidate.ts'
import { verifyOwnerAddition, verifyOwnerRemoval } from './verify-owner-change.ts'

/** What the person wants. */
export type OwnerChange =
  | { readonly kind: 'add'; readonly candidate: OwnerCandidate }
  | { readonly kind: 'remove'; readonly owner: Address }

/** One network's share of a change. */
export interface NetworkChange {
  readonly chainId: number
  readonly status: 'pending' | 'done' | 'down'
  /** To be signed there, verified; empty unless `pending`. */
  readonly calls: readonly Call[]
}

/**
 * Asks the service what has to be signed on each network, and verifies that it is the change and nothing else.
 *
 * @throws WalletError CALLS_DIFFER; what the service throws.
 */
export async function planOwnerChange(
  account: Address,
  change: OwnerChange,
): Promise<readonly NetworkChange[]> {
  const networks =
    change.kind === 'remove'
      ? await planRemoval(account, change.owner)
      : (await trpc.owner.add.mutate({ walletAddress: account, ...nameOf(change.candidate) })).networks
  return networks.map((network) => toNetworkChange(network, account, change))
}

/** An owner that is one nowhere any more is unknown to the service: then there is nothing left to do. */
async function planRemoval(walletAddress: Address, ownerAddress: Address): Promise<PlannedNetwork[]> {
  try {
    return (await trpc.owner.remove.mutate({ walletAddress, ownerAddress })).networks
  } catch (error) {
    if (readServiceError(error)?.code === 'UNKNOWN_OWNER') return []
    throw error
  }
}

const nameOf = (candidate: OwnerCandidate) =>
  candidate.kind === 'eoa' ? { ownerAddress: candidate.address } : { credentialId: candidate.credentialId }

type PlannedNetwork = EndpointOutput<typeof endpoints.owner.add>['networks'][number]

function toNetworkChange(
  { network, status, transactionDetails = [] }: PlannedNetwork,
  account: Address,
  change: OwnerChange,
): NetworkChange {
  if (status !== 'pending') return { chainId: network, status, calls: [] }
  const calls = transactionDetails.map(({ targetContractAddress, value, encodedData }) => ({
    to: targetContractAddress,
    value: BigInt(value),
    data: encodedData,
  }))
  if (change.kind === 'add') verifyOwnerAddition(calls, account, change.candidate)
  else verifyOwnerRemoval(calls, account, change.owner)
  return { chainId: network, status, calls }
}
