import { createHardhatRuntimeEnvironment } from 'hardhat/hre'

/** The accounts of a state that anvil dumped (`anvil_dumpState`, unpacked). */
export interface ChainState {
  readonly accounts: Readonly<
    Record<
      string,
      {
        readonly nonce: number | string
        readonly balance: string
        readonly code: string
        readonly storage: Readonly<Record<string, string>>
      }
    >
  >
}

export interface EdrNodeOptions {
  readonly chainId: number
  readonly state: ChainState
  /** Milliseconds between blocks. Transactions are still mined at once. Default 1,000. */
  readonly blockTime?: number
}

export interface EdrNode extends AsyncDisposable {
  readonly url: string
}

const network = 'edr'

/**
 * Starts Hardhat's node, a second implementation of Ethereum beside anvil, on a free port of this machine. It
 * mines transactions at once and holds none with a later nonce.
 */
export async function startEdrNode({ chainId, state, blockTime = 1_000 }: EdrNodeOptions): Promise<EdrNode> {
  const hre = await createHardhatRuntimeEnvironment(
    {
      networks: {
        [network]: {
          type: 'edr-simulated',
          chainType: 'l1',
          chainId,
          hardfork: 'osaka',
          mining: { auto: true, interval: blockTime },
          allowBlocksWithSameTimestamp: true,
          // As a node does: the hash is the answer, and the receipt says whether it reverted.
          throwOnTransactionFailures: false,
        },
      },
    },
    {},
    import.meta.dirname,
  )
  const server = await hre.network.createServer(network, '127.0.0.1', 0)
  const { port } = await server.listen()
  const url = `http://127.0.0.1:${port}`
  await load(url, state)
  return { url, [Symbol.asyncDispose]: () => server.close() }
}

const quantity = (value: bigint) => `0x${value.toString(16)}`
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

async function load(url: string, { accounts }: ChainState): Promise<void> {
  const calls = Object.entries(accounts).flatMap(([address, { nonce, balance, code, storage }]) => [
    ['hardhat_setBalance', address, quantity(BigInt(balance))],
    ...(BigInt(nonce) > 0n ? [['hardhat_setNonce', address, quantity(BigInt(nonce))]] : []),
    ...(code === '0x' ? [] : [['hardhat_setCode', address, code]]),
    ...Object.entries(storage).map(([slot, value]) => [
      'hardhat_setStorageAt',
      address,
      quantity(BigInt(slot)),
      word(BigInt(value)),
    ]),
  ])
  // Some blocks, so that the first final one is not the genesis block.
  await request(url, [...calls, ['hardhat_mine', '0x4']])
}

async function request(url: string, calls: readonly (readonly (string | undefined)[])[]): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))),
  })
  const answers = (await response.json()) as { readonly error?: { readonly message: string } }[] // a batch's answer
  const failed = answers.find(({ error }) => error)
  if (failed) throw new Error(`The state could not be loaded: ${failed.error?.message}`)
}
