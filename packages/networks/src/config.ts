import { type Address, address } from '@lanyard/contracts'
import { z } from 'zod'

const rpcUrl = z.url({ protocol: /^https?$/, error: 'Expected an http or https URL' })

/** When a block counts as final: a block tag of the node, or a number of blocks on top. */
export const finality = z.union([
  z.strictObject({ tag: z.enum(['finalized', 'safe']) }),
  z.strictObject({ confirmations: z.int().min(1).max(10_000) }),
])

/** Who puts user operations on this chain. */
export const bundlerConfig = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('embedded') }),
  z.strictObject({ kind: z.literal('remote'), url: rpcUrl }),
])

const settlementToken = z.strictObject({
  address,
  symbol: z.string().min(1).max(16),
  decimals: z.int().min(6, 'The settlement token needs at least 6 decimals').max(36),
})

/** EntryPoint v0.7, the same on every chain. */
export const entryPointV07: Address = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'

/** One network of the configuration file. */
export const networkConfig = z.strictObject({
  chainId: z.int().positive(),
  name: z.string().min(1).max(64),
  /** The first that answers is used; the others stand by. */
  rpcUrls: z.array(rpcUrl).min(1).max(8),
  /** A development chain: open faucet, public keys, its RPC address is shown to everyone. */
  local: z.boolean().default(false),
  /** Show this RPC address in GET /networks. */
  publicRpcUrl: rpcUrl.optional(),
  explorerUrl: rpcUrl.optional(),
  finality: finality.default({ tag: 'finalized' }),
  bundler: bundlerConfig.default({ kind: 'embedded' }),
  entryPoint: address.default(entryPointV07),
  settlementToken: settlementToken.optional(),
  /** How often the head is asked for while something waits for it, milliseconds. */
  pollingInterval: z.int().min(20).max(60_000).default(1000),
  /** Bound of one RPC request, milliseconds. */
  rpcTimeout: z.int().min(100).max(60_000).default(10_000),
  /** RPC requests under way at once at one endpoint; more wait for their turn. */
  rpcConcurrency: z.int().min(1).max(10_000).default(100),
})

export type NetworkConfig = z.output<typeof networkConfig>

/** The configuration file that NETWORKS_FILE names. */
export const networksFile = z.strictObject({
  networks: z
    .array(networkConfig)
    .min(1, 'At least one network is needed')
    .refine(
      (networks) => new Set(networks.map(({ chainId }) => chainId)).size === networks.length,
      'Each chainId may appear once only',
    ),
})
