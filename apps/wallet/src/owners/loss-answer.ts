import type { Address } from 'viem'
import { ableGuardians, type GuardianOverview, mostCommon } from '../guardians/guardian.ts'
import type { Ownership } from './use-owners.ts'

/**
 * What losing the passkey in use would mean on a network today. `owner`: another owner remains. `ready`: more guardians can sign than must.
 * `tight`: exactly as many. `other`: they could, but are not those of most networks. `lost`: nobody could get the account back.
 * `unknown`: the network does not answer.
 */
type LossState = 'owner' | 'ready' | 'tight' | 'other' | 'lost' | 'unknown'

/** The answer to "if I lose this passkey today". */
export interface LossAnswer {
  readonly networks: readonly {
    readonly network: number
    readonly state: LossState
    /** The guardians in force there who can sign today. */
    readonly able: readonly Address[]
  }[]
  /** Networks that would be lost. */
  readonly lost: readonly number[]
  /** Seconds of the longest delay where guardians are needed; undefined: nowhere. */
  readonly delay: number | undefined
}

/** The overview while the service does not say who could sign: of the set in force, nothing is known. */
export const overviewOfSet = (
  account: Address,
  inForce: readonly number[],
  { known, down }: Pick<Ownership, 'known' | 'down'>,
): GuardianOverview => ({
  account,
  networks: [...known, ...down].map((network) => ({
    network,
    status: inForce.includes(network) ? 'down' : 'up',
  })),
  guardians: [],
})

/** Computes the answer from owners, guardians, threshold, delay and the state of each network. */
export function answerLoss(
  overview: GuardianOverview,
  { known, unprotected }: Pick<Ownership, 'known' | 'unprotected'>,
): LossAnswer {
  const inForce = mostCommon(overview.networks.flatMap(({ current }) => current?.hash ?? []))
  const stateOf = (network: GuardianOverview['networks'][number]): LossState => {
    const { network: chainId, status, current } = network
    if (!known.includes(chainId)) return 'unknown'
    if (!unprotected.includes(chainId)) return 'owner'
    if (status === 'down') return 'unknown'
    const set = current?.guardians
    if (!set) return 'lost'
    const able = ableGuardians(overview, chainId).length
    if (able < set.threshold) return 'lost'
    if (current.hash !== inForce) return 'other'
    return able === set.threshold && set.members.length > 1 ? 'tight' : 'ready'
  }
  const networks = overview.networks.map((network) => ({
    network: network.network,
    state: stateOf(network),
    able: ableGuardians(overview, network.network),
  }))
  const needed = networks.filter(({ state }) => state === 'ready' || state === 'tight')
  const delays = overview.networks.flatMap(({ network, current }) =>
    needed.some((one) => one.network === network) ? (current?.guardians?.delay ?? []) : [],
  )
  return {
    networks,
    lost: networks.flatMap(({ network, state }) => (state === 'lost' ? [network] : [])),
    delay: delays.length > 0 ? Math.max(...delays) : undefined,
  }
}
