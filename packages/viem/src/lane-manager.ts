import { type Address, type Client, type NonceManager, parseAbi } from 'viem'
import { readContract } from 'viem/actions'

/** As many nonce keys as the service uses: 0 to 15. A key's first use costs 17,000 gas. */
const laneCount = 16

const entryPointAbi = parseAbi(['function getNonce(address sender, uint192 key) view returns (uint256)'])

/**
 * Nonce keys that are used again: operations one after another stay on key 0, and operations side by side get a key
 * each. viem's default, the time, opens a new key for each operation.
 *
 * A key that was given is free once its nonce moved on. Where none of the 16 is, the one that was given longest ago is
 * taken: its operation was probably never sent.
 */
export function laneManager(entryPoint: Address): NonceManager {
  /** The nonce that was given last on each key, in the order of giving. */
  const given = new Map<string, Map<number, bigint>>()
  /** Two operations that begin at once take a key each. */
  let turn: Promise<unknown> = Promise.resolve()

  async function choose(address: Address, chainId: number, client: Client): Promise<number> {
    const id = `${chainId}.${address}`
    const lanes = given.get(id) ?? new Map<number, bigint>()
    given.set(id, lanes)
    const take = (lane: number, nonce: bigint) => {
      lanes.delete(lane) // behind all others
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
