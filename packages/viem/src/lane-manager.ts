import { type Address, type Client, type NonceManager, parseAbi } from 'viem'
import { readContract } from 'viem/actions'

/** The service uses the same nonce keys, 0 to 15. The first use of a key costs 17,000 gas. */
const laneCount = 16

const entryPointAbi = parseAbi(['function getNonce(address sender, uint192 key) view returns (uint256)'])

/**
 * Reuses nonce keys: consecutive operations share key 0, and concurrent operations get one key each. viem's
 * default, the current time, opens a new key for each operation.
 *
 * A key is free again once its nonce has advanced. If none of the 16 keys is free, the manager returns the
 * one assigned longest ago, whose operation was probably never sent.
 */
export function laneManager(entryPoint: Address): NonceManager {
  /** The last nonce assigned on each key, in order of assignment. */
  const given = new Map<string, Map<number, bigint>>()
  /** Serializes requests, so that two concurrent operations get different keys. */
  let turn: Promise<unknown> = Promise.resolve()

  async function choose(address: Address, chainId: number, client: Client): Promise<number> {
    const id = `${chainId}.${address}`
    const lanes = given.get(id) ?? new Map<number, bigint>()
    given.set(id, lanes)
    const take = (lane: number, nonce: bigint) => {
      lanes.delete(lane) // moves the key to the end
      lanes.set(lane, nonce)
      return lane
    }
    const nonceOf = (lane: number) =>
      readContract(client, {
        address: entryPoint,
        abi: entryPointAbi,
        functionName: 'getNonce',
        args: [address, BigInt(lane)],
      })
    for (let lane = 0; lane < laneCount; lane++) {
      const nonce = await nonceOf(lane)
      const last = lanes.get(lane)
      if (last === undefined || nonce > last) return take(lane, nonce)
    }
    const [oldest = 0] = lanes.keys()
    return take(oldest, await nonceOf(oldest))
  }

  return {
    consume({ address, chainId, client }) {
      const chosen = turn.then(() => choose(address, chainId, client))
      turn = chosen.catch(() => undefined)
      return chosen
    },
    get: ({ address, chainId, client }) => choose(address, chainId, client),
    increment() {},
    reset: ({ address, chainId }) => void given.delete(`${chainId}.${address}`),
  }
}
