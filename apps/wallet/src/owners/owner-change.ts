import { type AccountOwner, type Call, defaultDeployment, toOwner } from '@lanyard/accounts'
import type { EndpointOutput, endpoints } from '@lanyard/contracts'
import { type Address, isAddressEqual } from 'viem'
import type { Session } from '../api/stored-session.ts'
import { trpc } from '../api/trpc.ts'
import { toCall } from '../calls/to-call.ts'
import { readServiceError } from '../errors/service-error.ts'
import type { SignableChange } from '../guardians/sign-owner-change.ts'
import { fetchNetworks, type Network } from '../networks/use-networks.ts'
import { type PreparedOperation, prepareOperation } from '../operation/prepare-operation.ts'
import { verifyRecoveryKit } from '../sign-in/recovery-kit.ts'
import { fetchTrustedSigners } from '../sign-in/trusted-signers.ts'
import type { OwnerAddition, OwnerCandidate } from '../signers/signer-kind.ts'
import { signerKindOf } from '../signers/signer-kinds.ts'
import { verifyOwnerAddition, verifyOwnerRemoval } from './verify-owner-change.ts'

/** The change that the person requested. */
export type OwnerChange =
  | OwnerAddition
  | { readonly kind: 'remove'; readonly owner: Address }
  | { readonly kind: 'replace'; readonly owner: Address; readonly candidate: OwnerCandidate }

/** The part of a change on one network. */
export interface NetworkChange {
  readonly chainId: number
  readonly status: 'pending' | 'done' | 'down'
  /** The verified calls to sign. Empty unless `pending`, and where another step comes first. */
  readonly calls: readonly Call[]
}

/** A change, ready to be signed. */
export interface PlannedChange {
  /** What is signed once for all networks with the module. */
  readonly joint: SignableChange
  readonly networks: readonly NetworkChange[]
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
): Promise<PlannedChange> {
  const planning: Planning = { account, networks, signal }
  const plan = async () => {
    if (change.kind === 'remove') return planRemoval(planning, change.owner)
    const additions = await planAddition(planning, change.candidate)
    return change.kind === 'add' ? additions : planReplacement(additions, change.owner)
  }
  // The new owner comes first, so that there always is one.
  const planReplacement = async (additions: readonly NetworkChange[], owner: Address) => {
    const isAdded = additions.some(({ status }) => status === 'done')
    const removals = isAdded ? await planRemoval(planning, owner).catch(unlessLast) : []
    return additions.map((addition): NetworkChange => {
      if (addition.status !== 'done') return addition
      if (!removals) return { ...addition, status: 'pending' }
      return removals.find(({ chainId }) => chainId === addition.chainId) ?? addition
    })
  }
  const [joint, planned] = await Promise.all([toJointChange(account, change, signal), plan()])
  return { joint, networks: planned }
}

interface Planning {
  readonly account: Address
  readonly networks: readonly Network[]
  readonly signal: AbortSignal
}

function contextOf({ account, networks }: Planning, chainId: number) {
  const network = networks.find((one) => one.chainId === chainId)
  return { account, smartBalance: network?.smartBalance?.address, sessionKeys: network?.sessionKeys }
}

/** Undefined if an owner cannot leave yet, because it is the last one somewhere. */
function unlessLast(error: unknown): undefined {
  if (readServiceError(error)?.code !== 'LAST_OWNER') throw error
}

async function toJointChange(
  account: Address,
  change: OwnerChange,
  signal: AbortSignal,
): Promise<SignableChange> {
  if (change.kind === 'add') return { kind: 'addOwner', owner: toOwner(change.candidate) }
  const old = await nameOwner(account, change.owner, signal)
  if (change.kind === 'remove') return { kind: 'removeOwner', owner: old }
  return { kind: 'replaceOwner', old, added: toOwner(change.candidate) }
}

/**
 * An owner as the module names it. The contract of first passkeys belongs to every account, so the key names that owner; any other
 * is named by the address that the person sees.
 *
 * @throws WalletError KIT_DIFFERS, FOREIGN_MODULE; errors of the service
 */
async function nameOwner(
  walletAddress: Address,
  address: Address,
  signal: AbortSignal,
): Promise<AccountOwner> {
  if (!isAddressEqual(address, defaultDeployment.sharedSigner)) return toOwner({ address })
  const kit = await trpc.owner.recoveryKit.query({ walletAddress }, { signal })
  return verifyRecoveryKit(kit, walletAddress, () => fetchNetworks({ signal }))
}

async function planAddition(
  planning: Planning,
  candidate: OwnerCandidate,
): Promise<readonly NetworkChange[]> {
  const { account, signal } = planning
  const planned = await trpc.owner.add.mutate(
    { walletAddress: account, ...signerKindOf(candidate).toRequest(candidate) },
    { signal },
  )
  const changes = planned.networks.map(toNetworkChange)
  for (const { chainId, calls } of changes)
    if (calls.length > 0) verifyOwnerAddition(calls, contextOf(planning, chainId), candidate)
  return changes
}

/** The service does not know an address that is no longer an owner anywhere. Nothing is left to remove then. */
async function planRemoval(planning: Planning, owner: Address): Promise<readonly NetworkChange[]> {
  const { account, networks, signal } = planning
  const [planned, signers] = await Promise.all([
    trpc.owner.remove
      .mutate({ walletAddress: account, ownerAddress: owner }, { signal })
      .catch((error): { networks: PlannedNetwork[] } => {
        if (readServiceError(error)?.code !== 'UNKNOWN_OWNER') throw error
        return { networks: networks.map(({ chainId }) => ({ network: chainId, status: 'done' })) }
      }),
    fetchTrustedSigners(account, signal),
  ])
  const changes = planned.networks.map(toNetworkChange)
  for (const { chainId, calls } of changes)
    if (calls.length > 0) verifyOwnerRemoval(calls, contextOf(planning, chainId), owner, signers)
  return changes
}

type PlannedNetwork = EndpointOutput<typeof endpoints.owner.add>['networks'][number]

function toNetworkChange({ network, status, transactionDetails = [] }: PlannedNetwork): NetworkChange {
  return {
    chainId: network,
    status,
    calls: status === 'pending' ? transactionDetails.map(toCall) : [],
  }
}

/**
 * Prepares an owner change on one network. If the account cannot pay the fee, it asks the service to pay:
 * people tend to forget networks on which they have no money.
 *
 * @throws like {@link prepareOperation}; INSUFFICIENT_FUNDS if the service does not pay either
 */
export async function prepareOwnerChange(
  session: Session,
  network: Network,
  calls: readonly Call[],
  signal: AbortSignal,
): Promise<PreparedOperation> {
  try {
    return await prepareOperation(session, network, calls, signal)
  } catch (error) {
    if (readServiceError(error)?.code !== 'INSUFFICIENT_FUNDS') throw error
    try {
      return await prepareOperation(session, network, calls, signal, 'sponsored')
    } catch (rejection) {
      // The account's missing funds are more useful to report than the sponsor's refusal.
      throw readServiceError(rejection)?.code === 'PAYMASTER_REFUSED' ? error : rejection
    }
  }
}
