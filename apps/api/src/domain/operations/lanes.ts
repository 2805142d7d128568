import { LanyardError } from '@lanyard/contracts'
import type { OperationRow } from '@lanyard/database'
import type { Network } from '@lanyard/networks'
import type { Address } from 'viem'
import { entryPoint07Abi } from 'viem/account-abstraction'

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

type At = { readonly blockNumber?: bigint }

/**
 * Whether the chain has used each operation's nonce, at the head or at a block: if so, it or another
 * operation with the same nonce is included.
 *
 * @throws NETWORK_UNAVAILABLE, NETWORK_FAILED
 */
export async function readNoncesUsed(
  network: Network,
  rows: readonly OperationRow[],
  at: At = {},
): Promise<ReadonlySet<OperationRow>> {
  if (rows.length === 0) return new Set()
  const nonces = await network.call((client) =>
    client.multicall({
      allowFailure: false,
      batchSize: 0, // one request for all of them
      ...at,
      contracts: rows.map(
        (row) =>
          ({
            address: row.entry_point as Address, // the column holds an address
            abi: entryPoint07Abi,
            functionName: 'getNonce',
            args: [row.account as Address, row.nonce_key], // the column holds 0x and 40 digits
          }) as const,
      ),
    }),
  )
  const sequenceOf = (nonce: bigint | undefined) => (nonce ?? 0n) & (2n ** 64n - 1n)
  return new Set(rows.filter((row, index) => sequenceOf(nonces[index]) > row.nonce_sequence))
}
