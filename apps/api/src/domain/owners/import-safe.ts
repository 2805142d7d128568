import {
  type AccountDeployment,
  encodeEnabling,
  getSafeTransactionHash,
  isEoaCode,
  type SafeInspection,
  type SafeProblem,
  type SafeState,
  toOwner,
  toSafeTransaction,
} from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { Network, Networks } from '@lanyard/networks'
import { type Address, type Hex, isAddressEqual } from 'viem'
import type { Wallet } from '../accounts/accounts/kind.ts'
import { onEachNetwork } from '../accounts/owners/read-owners.ts'
import { readExistingSafe } from '../accounts/safe/read-existing-safe.ts'
import { hasConsented, requireAlikeOwner } from './require-alike-owner.ts'

/** An owner's signature over `ownerConsentText`. */
export interface OwnerConsent {
  readonly owner: Address
  readonly signature: Hex
}

/** An existing Safe on one network. */
export interface SafeOnNetwork {
  readonly network: Network
  /** `down`: the network did not answer, or its RPCs contradict each other. */
  readonly found: SafeInspection | { readonly kind: 'down' }
}

export interface ExistingAccount {
  readonly networks: readonly SafeOnNetwork[]
  /** Absent if no network has it in a form that can be used. */
  readonly wallet: Wallet | undefined
  /** Whether an owner asks for it: one of the consents is theirs. */
  readonly isConsented: boolean
}

/**
 * Reads a Safe that another program deployed on every network, with the checks of its owners: those of owners that are added.
 *
 * @throws INVALID_SIGNATURE for a consent that its owner did not sign
 */
export async function readExistingAccount(
  networks: Networks,
  address: Address,
  {
    consents,
    deployment,
  }: { readonly consents: readonly OwnerConsent[]; readonly deployment: AccountDeployment },
): Promise<ExistingAccount> {
  for (const { owner, signature } of consents) {
    if (!(await hasConsented({ address }, owner, signature)))
      throw new LanyardError('INVALID_SIGNATURE', {
        message: `${owner} did not sign \`ownerConsentText\` for ${address}.`,
      })
  }
  const answers = await onEachNetwork(networks, async (network) => ({
    network,
    found: await readExistingSafe(network, address).catch((error: unknown) => {
      if (error instanceof LanyardError && error.code === 'NETWORK_UNCONFIRMED')
        return { kind: 'down' } as const
      throw error
    }),
  }))
  const seen = answers.map(
    (answer): SafeOnNetwork =>
      'found' in answer ? answer : { network: networks.get(answer.network), found: { kind: 'down' } },
  )
  const owners = [...new Set(seen.flatMap(({ found }) => usableState(found)?.owners ?? []))]
  const keys = await findKeys(seen, owners)
  // An owner who was removed on one network, or the owner of another person's Safe there, must not stand for the others.
  const states = seen.flatMap(({ found }) => usableState(found) ?? [])
  const first = keys.find((key) => states.every((state) => state.owners.includes(key))) ?? keys[0]
  // Without a key of its own, the account can be judged, and is refused below.
  const wallet: Wallet = {
    address,
    owner: toOwner({ address: first ?? address }),
    deployment: { ...deployment, ownership: undefined, address },
  }
  const problems = new Map<Address, SafeProblem>()
  for (const owner of owners) {
    const problem = await findProblem(networks, wallet, owner, consents)
    if (problem) problems.set(owner, problem)
  }
  const judged = seen.map(({ network, found }) => ({ network, found: withOwners(found, problems, keys) }))
  return {
    networks: judged,
    wallet: judged.some(({ found }) => found.kind === 'ready') ? wallet : undefined,
    // Anyone signs the text with a key that owns nothing.
    isConsented: consents.some(({ owner }) => owners.some((one) => isAddressEqual(one, owner))),
  }
}

const usableState = (found: SafeOnNetwork['found']): SafeState | undefined =>
  found.kind === 'ready' || found.kind === 'incomplete' ? found.state : undefined

/** The owners that are keys, with or without a delegation, in the account's order. */
async function findKeys(
  seen: readonly SafeOnNetwork[],
  owners: readonly Address[],
): Promise<readonly Address[]> {
  const on = seen.find(({ found }) => usableState(found))
  if (!on) return []
  const codes = await on.network.call((client) =>
    Promise.all(owners.map((address) => client.getCode({ address }))),
  )
  return owners.filter((_, index) => isEoaCode(codes[index]))
}

async function findProblem(
  networks: Networks,
  wallet: Wallet,
  owner: Address,
  consents: readonly OwnerConsent[],
): Promise<SafeProblem | undefined> {
  const signature = consents.find((one) => isAddressEqual(one.owner, owner))?.signature
  try {
    await requireAlikeOwner(networks, wallet, { address: owner, signature, isFromElsewhere: true }, 'owner')
    return undefined
  } catch (error) {
    if (!(error instanceof LanyardError) || error.code !== 'INVALID_INPUT') throw error
    const message = error.issues?.[0]?.message ?? error.message
    return { part: 'owners', address: owner, message: `${owner}: ${message}` }
  }
}

/** An account is unsupported where one of its owners is, or none is a key. */
function withOwners(
  found: SafeOnNetwork['found'],
  problems: ReadonlyMap<Address, SafeProblem>,
  keys: readonly Address[],
): SafeOnNetwork['found'] {
  const state = usableState(found)
  if (!state) return found
  const own = state.owners.flatMap((owner) => problems.get(owner) ?? [])
  if (own.length > 0) return { kind: 'unsupported', problems: own, state }
  if (state.owners.some((owner) => keys.includes(owner))) return found
  const message = 'No owner of the account is an EOA. One has to be, and can add passkeys afterwards.'
  return { kind: 'unsupported', problems: [{ part: 'owners', message }], state }
}

/** The one Safe transaction that adds what an account lacks, and what an owner signs for it. */
export function planEnabling({ chainId }: Network, account: Address, state: SafeState) {
  const calls = encodeEnabling(account, state)
  const transaction = toSafeTransaction(calls, state.nonce)
  return { calls, transaction, safeTxHash: getSafeTransactionHash(transaction, { chainId, account }) }
}
