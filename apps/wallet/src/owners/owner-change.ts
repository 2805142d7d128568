import type { Call } from '@lanyard/accounts'
import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import type { Address } from 'viem'
import { trpc } from '../api/trpc.ts'
import { toCall } from '../calls/to-call.ts'
import { readServiceError } from '../errors/service-error.ts'
import type { Network } from '../networks/use-networks.ts'
import { fetchTrustedSigners } from '../smart-balance/trusted-signers.ts'
import type { OwnerCandidate } from './owner-candidate.ts'
import { verifyOwnerAddition, verifyOwnerRemoval } from './verify-owner-change.ts'

/** The change that the person requested. */
export type OwnerChange =
  | { readonly kind: 'add'; readonly candidate: OwnerCandidate }
  | { readonly kind: 'remove'; readonly owner: Address }

/** The part of a change on one network. */
export interface NetworkChange {
  readonly chainId: number
  readonly status: 'pending' | 'done' | 'down'
  /** The verified calls to sign. Empty unless `pending`. */
  readonly calls: readonly Call[]
}

/**
 * Asks the service for the calls to sign on each network, and verifies that they make exactly this change.
 *
 * @throws WalletError CALLS_DIFFER; errors of the service
 */
export async function planOwnerChange(
  account: Address,
  change: OwnerChange,
  networks: readonly Network[],
  signal: AbortSignal,
): Promise<readonly NetworkChange[]> {
  const [planned, signers] =
    change.kind === 'remove'
      ? await Promise.all([planRemoval(account, change.owner, signal), fetchTrustedSigners(account, signal)])
      : [await planAddition(account, change.candidate, signal), []]
  const verify = (chainId: number, calls: readonly Call[]) => {
    const network = networks.find((one) => one.chainId === chainId)
    const smartBalance = network?.smartBalance?.address
    const context = { account, smartBalance, sessionKeys: network?.sessionKeys }
    if (change.kind === 'add') verifyOwnerAddition(calls, context, change.candidate)
    else verifyOwnerRemoval(calls, context, change.owner, signers)
  }
  return planned.map((network) => {
    const { chainId, status, calls } = toNetworkChange(network)
    if (status === 'pending') verify(chainId, calls)
    return { chainId, status, calls }
  })
}

async function planAddition(walletAddress: Address, candidate: OwnerCandidate, signal: AbortSignal) {
  const planned = await trpc.owner.add.mutate({ walletAddress, ...nameOf(candidate) }, { signal })
  return planned.networks
}

/**
 * The service does not know an address that is no longer an owner anywhere. Nothing is left to remove then.
 */
async function planRemoval(
  walletAddress: Address,
  ownerAddress: Address,
  signal: AbortSignal,
): Promise<PlannedNetwork[]> {
  try {
    return (await trpc.owner.remove.mutate({ walletAddress, ownerAddress }, { signal })).networks
  } catch (error) {
    if (readServiceError(error)?.code === 'UNKNOWN_OWNER') return []
    throw error
  }
}

const nameOf = (candidate: OwnerCandidate) =>
  candidate.kind === 'eoa' ? { ownerAddress: candidate.address } : { credentialId: candidate.credentialId }

type PlannedNetwork = EndpointOutput<typeof endpoints.owner.add>['networks'][number]

function toNetworkChange({ network, status, transactionDetails = [] }: PlannedNetwork): NetworkChange {
  return {
    chainId: network,
    status,
    calls: status === 'pending' ? transactionDetails.map(toCall) : [],
  }
}
