import { type Address, address } from '@lanyard/contracts'
import { z } from 'zod'

const httpUrl = z.url({ protocol: /^https?$/, error: 'Expected an http or https URL' })

/** When a block counts as final: a block tag of the node, or a number of blocks on top. */
export const finality = z.union([
  z.strictObject({ tag: z.enum(['finalized', 'safe']) }),
  z.strictObject({ confirmations: z.int().min(1).max(10_000) }),
])

/** Who puts user operations on this chain. */
export const bundlerConfig = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('embedded') }),
  z.strictObject({ kind: z.literal('remote'), url: httpUrl }),
])

const settlementToken = z.strictObject({
  address,
  symbol: z.string().min(1).max(16),
  decimals: z.int().min(6, 'The settlement token needs at least 6 decimals').max(36),
})

/** Where the price of the network's native coin in its settlement token comes from. */
const nativePriceConfig = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('fixed'),
    /** 6-decimals units of the settlement token for 1 ether (10^18 wei). */
    price: z.string().regex(/^[1-9]\d{0,29}$/, 'Expected a whole number of 6-decimals units, as a string'),
  }),
  z.strictObject({
    kind: z.literal('chainlink'),
    /** Chainlink's proxy on this network for native coin / USD; the settlement token counts as one USD. */
    feed: address,
    /** Seconds: an older answer is refused. The feed's heartbeat and a margin. */
    maximumAge: z.int().min(1).max(604_800),
  }),
])

/** wei, as text. */
const wei = z.string().regex(/^[1-9]\d{0,29}$/, 'Expected a whole number of wei, as a string')

/**
 * How a rollup charges for the L1 data of a transaction, on top of its gas. The embedded bundler adds it to
 * preVerificationGas.
 */
const l1FeeConfig = z.strictObject({
  kind: z.enum(['op-stack', 'arbitrum']),
  /**
   * The most, wei, that one operation may be charged for its L1 data. More than that is taken for a wrong answer, and
   * the operation is not built.
   */
  maximum: wei.default('10000000000000000'),
})

/** EntryPoint v0.7, the same on every chain. */
export const entryPointV07: Address = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'

/** The members of one network. A preset fills in what is the same for everyone. */
export const networkFields = z.strictObject({
  chainId: z.int().positive(),
  name: z.string().min(1).max(64),
  /** The first that answers is used; the others stand by. */
  rpcUrls: z.array(httpUrl).min(1).max(8),
  /** A development chain: open faucet, public keys, its RPC address is shown to everyone. */
  local: z.boolean().default(false),
  /** Show this RPC address in GET /networks. */
  publicRpcUrl: httpUrl.optional(),
  explorerUrl: httpUrl.optional(),
  /** What gas is paid in. */
  nativeCurrency: z
    .strictObject({ name: z.string().min(1).max(32), symbol: z.string().min(1).max(16) })
    .default({ name: 'Ether', symbol: 'ETH' }),
  finality: finality.default({ tag: 'finalized' }),
  bundler: bundlerConfig.default({ kind: 'embedded' }),
  entryPoint: address.default(entryPointV07),
  settlementToken: settlementToken.optional(),
  /** Our contract there; absent: the network has no part in the smart balance. */
  smartBalance: address.optional(),
  /** Our contract there; absent: accounts have no session keys on this network. */
  sessionKeys: address.optional(),
  /** Needed with smartBalance, whose fees are paid in the settlement token. */
  nativePrice: nativePriceConfig.optional(),
  /** Absent: a transaction costs its gas and nothing else. */
  l1Fee: l1FeeConfig.optional(),
  /** Whether the chain has the P-256 precompile at 0x100. Only compared, never relied on: absent, it is not. */
  p256Precompile: z.boolean().optional(),
  /** How far blocks are apart, milliseconds; tells an RPC that has fallen behind from a slow chain. */
  blockTime: z.int().min(1).max(600_000).default(12_000),
  /** How often the head is asked for while something waits for it, milliseconds. */
  pollingInterval: z.int().min(20).max(60_000).default(1000),
  /** The highest plausible fee of the network, wei per gas. More is treated as a wrong answer. */
  maxFeePerGas: wei.default('10000000000000'),
  /** Bound of one RPC request, milliseconds; the time that it waits for its turn counts. */
  rpcTimeout: z.int().min(100).max(60_000).default(10_000),
  /** RPC requests under way at once at one endpoint; more wait for their turn. */
  rpcConcurrency: z.int().min(1).max(10_000).default(100),
  /** RPC requests that wait for their turn at one endpoint; more are refused at once with 503. */
  rpcQueue: z.int().min(0).max(100_000).default(1_000),
})
