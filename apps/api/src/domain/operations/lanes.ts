import { LanyardError } from '@lanyard/contracts'

/** Nonce keys 0–15 of ERC-4337's two-dimensional nonce serve as lanes: more would only cost gas (17k a fresh key). */
export const laneCount = 16

export interface NoncePosition {
  readonly key: bigint
  readonly sequence: bigint
}

/** The nonce as EntryPoint counts it: 192-bit key ‖ 64-bit sequence (EntryPoint v0.7, NonceManager). */
export const toNonce = ({ key, sequence }: NoncePosition): bigint => (key << 64n) | sequence

interface Lanes {
  /** Lanes of signed operations and of open orders. */
  readonly taken: ReadonlySet<bigint>
  /** How many unsigned builds of the same caller each lane has. */
  readonly builds: ReadonlyMap<bigint, number>
  /** The next sequence of a lane, by the chain and by what is known to be included. */
  readonly nextSequence: (lane: bigint) => bigint
  /** Chosen if it is not taken. */
  readonly preferred?: bigint | undefined
}

/**
 * Chooses the nonce of a new build: of the lanes that are not taken, the lowest of those with the fewest builds of the
 * same caller. Sequential use stays on lane 0, parallel builds get one each, and builds of others change nothing.
 *
 * @throws LANES_EXHAUSTED when every lane is taken
 */
export function chooseLane({ taken, builds, nextSequence, preferred }: Lanes): NoncePosition {
  const free = Array.from({ length: laneCount }, (_, lane) => BigInt(lane)).filter((lane) => !taken.has(lane))
  const buildsOn = (lane: bigint) => (lane === preferred ? -1 : (builds.get(lane) ?? 0))
  const [key] = free.toSorted((a, b) => buildsOn(a) - buildsOn(b)) // stable: the lowest of equals
  if (key === undefined) throw new LanyardError('LANES_EXHAUSTED')
  return { key, sequence: nextSequence(key) }
}
