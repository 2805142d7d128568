import { type Chain, createPublicClient, defineChain, http, type PublicClient, type Transport } from 'viem'
import type { KitNetwork } from './kit/recovery-kit.ts'
import { describeError, RecoveryError } from './recovery-error.ts'

/** What is known of a network before it answers. */
type NamedNetwork = Pick<KitNetwork, 'chainId' | 'name' | 'nativeCurrency'>

/** A network that answers with the expected chain id. */
export interface Connection {
  readonly chain: Chain
  readonly client: PublicClient<Transport, Chain>
}

/**
 * Connects to a network by an RPC address.
 *
 * @throws RecoveryError WRONG_RPC
 */
export async function connect({
  chainId,
  name,
  nativeCurrency = { name: 'Native coin', symbol: 'native coins', decimals: 18 },
  rpcUrl,
}: NamedNetwork & { readonly rpcUrl: string }): Promise<Connection> {
  const chain = defineChain({
    id: chainId,
    name,
    nativeCurrency,
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const client = createPublicClient({ chain, transport: http(rpcUrl), cacheTime: 0, pollingInterval: 500 })
  const answered = await client.getChainId().catch((cause) => {
    throw new RecoveryError('WRONG_RPC', `${placeOf(rpcUrl)} does not answer: ${describeError(cause)}`, {
      cause,
    })
  })
  if (answered !== chainId) {
    throw new RecoveryError('WRONG_RPC', `${placeOf(rpcUrl)} is network ${answered}, not ${chainId}.`)
  }
  return { chain, client }
}

/**
 * Connects by the first RPC address that serves this network.
 *
 * @throws RecoveryError WRONG_RPC for the last address; USAGE if no address is given
 */
export async function connectToAny(network: NamedNetwork, rpcUrls: readonly string[]): Promise<Connection> {
  let failure: unknown = new RecoveryError(
    'USAGE',
    `${network.name} (${network.chainId}) needs an RPC address.`,
  )
  for (const rpcUrl of rpcUrls) {
    try {
      return await connect({ ...network, rpcUrl })
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** The URL without its path, since the path may contain a provider's key. */
const placeOf = (rpcUrl: string) => (URL.canParse(rpcUrl) ? new URL(rpcUrl).origin : rpcUrl)
