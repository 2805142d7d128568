import { LanyardError } from '@lanyard/contracts'

/**
 * Nonce keys 0–15 of ERC-4337's two-dimensional nonce serve as lanes. More lanes would only cost gas (17k for
 * each new key).
 */
export const laneCount = 16

export interface NoncePosition {
  readonly key: bigint
  readonly sequence: bigint
}

/** The nonce in EntryPoint's encoding: 192-bit key ‖ 64-bit sequence (EntryPoint v0.7, NonceManager). */
export const toNonce = ({ key, sequence }: NoncePosition): bigint => (key << 64n) | sequence

interface Lanes {
  /** Lanes of signed operations and of open orders. */
  readonly taken: ReadonlySet<bigint>
  /** Number of unsigned builds of the same caller on each lane. */
  readonly builds: ReadonlyMap<bigint, number>
  /** The next sequence of a lane, according to the chain and to known inclusions. */
  readonly nextSequence: (lane: bigint) => bigint
  /** Chosen if it is free. */
  readonly preferred?: bigint | undefined
}

/**
 * Chooses the nonce of a new build: the lowest of the free lanes with the fewest builds of the same caller.
 * Sequential use stays on lane 0, parallel builds get one lane each, and builds of other callers have no
 * effect.
 *
 * @throws LANES_EXHAUSTED when every lane is taken
 */
export function chooseLane({ taken, builds, nextSequence, preferred }: Lanes): NoncePosition {
  const free = Array.from({ length: laneCount }, (_, lane) => BigInt(lane)).filter((lane) => !taken.has(lane))
  const buildsOn = (lane: bigint) => (lane === preferred ? -1 : (builds.get(lane) ?? 0))
  const [key] = free.toSorted((a, b) => buildsOn(a) - buildsOn(b)) // stable: the lowest lane wins a tie
  if (key === undefined) throw new LanyardError('LANES_EXHAUSTED')
  return { key, sequence: nextSequence(key) }
}
