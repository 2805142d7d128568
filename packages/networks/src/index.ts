export {
  type CanonicalBlocks,
  createCanonicalBlocks,
  readBlockHash,
  type SeenBlock,
} from './canonical-blocks.ts'
export {
  blocksIn,
  bundlerConfig,
  entryPointsOf,
  entryPointV07,
  entryPointV08,
  finality,
  type NetworkConfig,
  networkConfig,
  networksFile,
} from './config.ts'
export { createNetworks, multicall3, type NetworkObserver, type Networks } from './create-networks.ts'
export { createFairQueue } from './fair-queue.ts'
export type { FeeToken, TokenRate } from './fee-tokens.ts'
export { minFees, type OfferedFees, reachesMinFees } from './fees.ts'
export { type HttpRpcOptions, httpRpc } from './http-rpc.ts'
export { gasPriceOracle, type L1Fee, type L1Transaction, l1FeeAt, nodeInterface } from './l1-fee.ts'
export type { Fees, Network, NetworkHealth } from './network.ts'
export { type PresetName, presetNames, presets } from './presets/index.ts'
export { type FeedAnswer, type PriceFeed, readPriceFeed } from './price-feed.ts'
export { rejectionIn, toProviderError } from './provider-errors.ts'
export {
  type AgreedBlock,
  type AgreedLog,
  type Quorum,
  type UnconfirmedReason,
  unconfirmedReasons,
} from './quorum.ts'
export {
  boundedGasFor,
  countRequests,
  createRateLimitPause,
  createRequestQueue,
  hasReservedShare,
  isKnownAsCostly,
  isProven,
  QueueFullError,
  RateLimitedError,
  type RateLimitPause,
  RateLimitResponse,
  type RequestKind,
  type RequestQueue,
  type RpcCaller,
  withReservedShare,
} from './request-queue.ts'
export { forAttestors, rpcOrigins } from './rpc-origins.ts'
export { type MissingVariable, substituteVariables } from './substitute-variables.ts'
export { startTimeLimit } from './time-limit.ts'
export { type BlockRange, walkBack, walkBlocks, walkRecent } from './walk-blocks.ts'
