import { LanyardError } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'

/** Nonce keys 0–15 of ERC-4337's two-dimensional nonce serve as lanes: more would only cost gas (17k a fresh key). */
export const laneCount = 16

export interface NoncePosition {
  readonly key: bigint
  readonly sequence: bigint
}

export interface LaneChoice extends NoncePosition {
  /** Builds that give way to the new one. */
  readonly superseded: readonly OperationRow[]
}

/** The nonce as EntryPoint counts it: 192-bit key ‖ 64-bit sequence (EntryPoint v0.7, NonceManager). */
export const toNonce = ({ key, sequence }: NoncePosition): bigint => (key << 64n) | sequence

const byAge = (a: OperationRow, b: OperationRow) => a.built_at.getTime() - b.built_at.getTime()

/**
 * Chooses the nonce of a new build: the lowest lane that no unresolved operation holds. Sequential use stays on
 * lane 0, parallel builds get one each. When all are held, the oldest unsigned build gives its nonce up.
 *
 * @param unresolved - the account's unresolved operations on this network
 * @param reserved - lanes that orders of the smart balance hold; what is built on them gives nothing up
 * @param nextSequence - the next sequence of each lane, by the chain and by what is known to be included
 * @throws LANES_EXHAUSTED when every lane is held by a signed operation or an order
 */
export function chooseLane(
  unresolved: readonly OperationRow[],
  reserved: ReadonlySet<bigint>,
  nextSequence: (lane: bigint) => bigint,
): LaneChoice {
  const held = new Set([...reserved, ...unresolved.map(({ nonce_key }) => nonce_key)])
  for (let key = 0n; key < laneCount; key++) {
    if (!held.has(key)) return { key, sequence: nextSequence(key), superseded: [] }
  }
  const oldest = unresolved
    // The nonce keys of sessions are no lanes.
    .filter(({ state, nonce_key }) => state === 'built' && nonce_key < laneCount && !reserved.has(nonce_key))
    .sort(byAge)[0]
  if (!oldest) throw new LanyardError('LANES_EXHAUSTED')
  return { key: oldest.nonce_key, sequence: oldest.nonce_sequence, superseded: [oldest] }
}
