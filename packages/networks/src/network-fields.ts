import { type Address, address } from '@lanyard/contracts'
import { z } from 'zod'

const httpUrl = z.url({ protocol: /^https?$/, error: 'Expected an http or https URL' })

/** When a block counts as final: a block tag of the node, or a number of confirmations. */
export const finality = z.union([
  z.strictObject({ tag: z.enum(['finalized', 'safe']) }),
  z.strictObject({ confirmations: z.int().min(1).max(10_000) }),
])

/** The bundler of this chain. */
export const bundlerConfig = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('embedded') }),
  z.strictObject({ kind: z.literal('remote'), url: httpUrl }),
])

const settlementToken = z.strictObject({
  address,
  symbol: z.string().min(1).max(16),
  decimals: z.int().min(6, 'The settlement token needs at least 6 decimals').max(36),
})

const priceFeed = z.strictObject({
  /** Chainlink's proxy on this network for the currency / USD. */
  feed: address,
  /** Maximum age of a price in seconds: the feed's heartbeat and a margin. */
  maximumAge: z.int().min(1).max(604_800),
})

/** The source of the native coin's price in the settlement token. */
const nativePriceConfig = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('fixed'),
    /** 6-decimal units of the settlement token for 1 ether (10^18 wei). */
    price: z.string().regex(/^[1-9]\d{0,29}$/, 'Expected a whole number of 6-decimal units, as a string'),
  }),
  /** A feed of native coin / USD; the settlement token counts as one USD. */
  priceFeed.extend({ kind: z.literal('chainlink') }),
])

/** A token in which an account can pay the gas of an operation. */
const feeToken = z.strictObject({
  address,
  symbol: z.string().min(1).max(16),
  decimals: z.int().min(0).max(36),
  /** The native coin's price in this token. With a feed of native coin / USD, the token counts as one USD. */
  nativePrice: nativePriceConfig,
})

/** wei, as text. */
const wei = z.string().regex(/^[1-9]\d{0,29}$/, 'Expected a whole number of wei, as a string')

/**
 * How a rollup charges for the L1 data of a transaction, on top of its gas. The embedded bundler adds it to
 * preVerificationGas.
 */
const l1FeeConfig = z.strictObject({
  kind: z.enum(['op-stack', 'arbitrum']),
  /**
   * Maximum charge for one operation's L1 data, wei. A higher value counts as a wrong response, and the
   * operation is not built.
   */
  maximum: wei.default('10000000000000000'),
})

/** How RELAYER_TREASURY_PRIVATE_KEY fills up relayers. All amounts in wei. */
const relayerRefill = z
  .strictObject({
    /** A relayer with less is filled up. */
    below: wei,
    /** A relayer has this much afterwards. */
    target: wei,
    /** What all relayers of the network get in an hour at most, with the fees of the transfers. */
    perHour: wei,
  })
  .refine(({ below, target }) => BigInt(below) * 20n <= BigInt(target) * 19n, {
    path: ['below'],
    error: 'Expected at most 95 % of `target`: less is not worth a transfer',
  })
  .refine(({ target, perHour }) => BigInt(perHour) * 10n >= BigInt(target), {
    path: ['perHour'],
    error: 'Expected at least a tenth of `target`: less is not worth a transfer',
  })

/** EntryPoint v0.7, the same on every chain. */
export const entryPointV07: Address = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'

/** EntryPoint v0.8, the same on every chain: the one of delegated EOAs. */
export const entryPointV08: Address = '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108'

/** The members of one network. A preset fills in what is the same for everyone. */
export const networkFields = z.strictObject({
  chainId: z.int().positive(),
  name: z.string().min(1).max(64),
  /** The first that responds is used; the others are fallbacks. */
  rpcUrls: z.array(httpUrl).min(1).max(8),
  /**
   * Who answers at each of `rpcUrls`, in the same order, if their domains do not show it: addresses with one name
   * are one origin. Absent: the domain of each address.
   */
  rpcOrigins: z.array(z.string().min(1).max(64)).min(1).max(8).optional(),
  /** RPCs for attestors, which should not depend on those of the service. Absent: `rpcUrls`. */
  attestorRpcUrls: z.array(httpUrl).min(1).max(8).optional(),
  /** Like `rpcOrigins`, for `attestorRpcUrls`. */
  attestorRpcOrigins: z.array(z.string().min(1).max(64)).min(1).max(8).optional(),
  /**
   * Accepts that one RPC can make the operator lend the liquidity of SmartBalance to an account without deposits.
   * Without it, a network that is not local needs RPCs of two origins to lend.
   */
  oneLyingRpcMayTakeLiquidity: z.boolean().default(false),
  /**
   * Where transactions are sent, to all at once, and never to `rpcUrls`. With private addresses, nobody can bring
   * the operations of a bundle to EntryPoint before it is mined. Empty: `rpcUrls`.
   */
  sendRpcUrls: z.array(httpUrl).max(8).default([]),
  /** A development chain on this machine (`rpcUrls` on loopback): open faucet, public keys, and a public RPC address. */
  local: z.boolean().default(false),
  /** Its money is worth nothing: an HTTP `PRICE_SOURCE` prices nothing on it. */
  testnet: z.boolean().default(false),
  /** Show this RPC address in GET /networks. */
  publicRpcUrl: httpUrl.optional(),
  explorerUrl: httpUrl.optional(),
  /** The currency of gas. */
  nativeCurrency: z
    .strictObject({
      name: z.string().min(1).max(32),
      symbol: z.string().min(1).max(16),
      /** How wallets show an amount. One unit of gas always costs wei, the smallest unit. */
      decimals: z.int().min(0).max(36).default(18),
    })
    .default({ name: 'Ether', symbol: 'ETH', decimals: 18 }),
  finality: finality.default({ tag: 'finalized' }),
  bundler: bundlerConfig.default({ kind: 'embedded' }),
  /** The EntryPoint of Safes. Delegated EOAs have EntryPoint v0.8, whose address is the same on every network. */
  entryPoint: address.default(entryPointV07),
  /**
   * The kinds of accounts that work on this network. `eip7702` needs a chain that executes EIP-7702, and
   * EntryPoint v0.8 and Simple7702Account at their usual addresses: preflight checks them. Presets name it where the
   * chain executes EIP-7702.
   */
  accountKinds: z
    .array(z.enum(['safe', 'eip7702']))
    .refine((kinds) => kinds.includes('safe'), 'Every network has Safes: name `safe`')
    .default(['safe']),
  settlementToken: settlementToken.optional(),
  /** Our contract on this network; absent: the network does not support the smart balance. */
  smartBalance: address.optional(),
  /** Our contract on this network; absent: accounts have no session keys on this network. */
  sessionKeys: address.optional(),
  /** Our contract on this network; absent: owners change network by network here, and there are no guardians. */
  ownership: address.optional(),
  /**
   * Other paymasters whose operations the embedded bundler sends. Their validation can make a bundle revert at the
   * relayer's cost, so name only contracts that you know. Local networks accept all.
   */
  paymasters: z.array(address).max(100).default([]),
  /** Required with smartBalance, whose fees are paid in the settlement token. */
  nativePrice: nativePriceConfig.optional(),
  /**
   * Tokens besides the settlement token in which gas can be paid, where a gas policy has `charge`. Without fees on
   * transfers: the paymaster would receive less than it takes.
   */
  feeTokens: z.array(feeToken).max(20).default([]),
  /**
   * Feeds of the prices that wallets show with `PRICE_SOURCE=chainlink`, by the symbol of the native coin or of the
   * settlement token. They decide nothing about money.
   */
  priceFeeds: z.record(z.string().min(1).max(16), priceFeed).default({}),
  /** Absent: a transaction costs only its gas. */
  l1Fee: l1FeeConfig.optional(),
  /**
   * Whether the chain has the P-256 precompile at 0x100. Only compared with the chain, never relied on.
   * Absent: not compared.
   */
  p256Precompile: z.boolean().optional(),
  /** Time between blocks, milliseconds; distinguishes an RPC that has fallen behind from a slow chain. */
  blockTime: z.int().min(1).max(600_000).default(12_000),
  /** How often the head is requested while something waits for it, milliseconds. */
  pollingInterval: z.int().min(20).max(60_000).default(1000),
  /**
   * The least tip with which the network's nodes take a transaction, wei per gas. Built operations and relayer
   * transactions never offer less, and operations with a lower one are refused. Nodes that want more say so, and
   * what they name counts for ten minutes.
   */
  minPriorityFeePerGas: wei.default('1000000'),
  /**
   * The highest tip that is offered, wei per gas, whatever a node says: tips go to block producers, so a node that lies
   * about them costs at most this. Its word lasts ten minutes.
   */
  maxPriorityFeePerGas: wei.default('100000000000'),
  /** The highest plausible fee of the network, wei per gas. More is treated as a wrong answer. */
  maxFeePerGas: wei.default('10000000000000'),
  /**
   * What each relayer may pay for itself in an hour, wei: what operations do not pay of a replacement's higher fees,
   * empty transactions, and with at most half of it the relayer's own calls. At the limit, a transaction waits.
   */
  relayerLossPerHour: wei.default('10000000000000000'),
  /**
   * Lost gas of an hour on this network, wei, above which accounts that are not as this service deploys them wait:
   * reverted transactions of all relayers, whoever caused them.
   */
  unpaidGasPerHour: wei.default('10000000000000000'),
  /**
   * What settlements may cost the settler in an hour, wei, with its empty transactions. At the limit they wait: debits can
   * be collected for days. Unset: ten times `relayerLossPerHour`, and no limit on local networks.
   */
  settlementGasPerHour: wei.optional(),
  /** When and how far the treasury fills up this network's relayers. Absent: it does not. */
  relayerRefill: relayerRefill.optional(),
  /** Time-out of one RPC request, milliseconds, including its time in the queue. */
  rpcTimeout: z.int().min(100).max(60_000).default(10_000),
  /** Maximum number of concurrent RPC requests to one endpoint; further ones wait. */
  rpcConcurrency: z.int().min(1).max(10_000).default(100),
  /**
   * Maximum number of requests in one JSON-RPC batch; 1: no batches. The service learns a lower limit from a
   * provider's refusals, for each address.
   */
  rpcBatch: z.int().min(1).max(1_000).default(50),
  /**
   * Maximum number of blocks in one eth_getLogs. The service learns a lower limit from a provider's refusals,
   * for each address.
   */
  rpcLogRange: z.int().min(1).max(1_000_000).default(2_000),
  /**
   * Maximum number of RPC requests that wait for one endpoint; further ones are rejected immediately with
   * 503.
   */
  rpcQueue: z.int().min(0).max(100_000).default(1_000),
})
