import {
  headerNotFound,
  ignoredOverrides,
  laggingNode,
  lateReceipts,
  limitedBatches,
  limitedBodies,
  limitedLogs,
  limitedNames,
  rateLimit,
  refusedOverrides,
  withoutMethod,
  withoutTag,
} from './providers.ts'
import type { RpcRule } from './rpc-rule.ts'

/** What providers allow on small plans, and what nodes lack, as users quote it in public. */
export interface ImitatedProvider {
  /** A heading of the table in docs/providers.md. */
  readonly name: string
  /** New rules for each proxy, since a proxy counts the uses of each. */
  readonly rules: () => readonly RpcRule[]
}

export const imitatedProviders = {
  tenBlocks: {
    name: 'logs of 10 blocks, code 429 (Alchemy free)',
    rules: () => [
      limitedLogs(10, {
        code: -32600,
        message:
          'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: [0x0, 0x9].',
      }),
      rateLimit(
        { code: 429, message: 'Your app has exceeded its compute units per second capacity' },
        { every: 60 },
      ),
    ],
  },
  fiveBlocks: {
    name: 'logs of 5 blocks by HTTP 413, batches of 10 (QuickNode free)',
    rules: () => [limitedLogs(5, { status: 413 }), limitedBatches(10, 'each')],
  },
  batchesOfThree: {
    name: 'batches of 3 (dRPC free)',
    rules: () => [
      limitedBatches(3, 'each', 'Batch of more than 3 requests are not allowed on free tier'),
      limitedLogs(100, { code: 35, message: 'ranges over 100 blocks are not supported on freetier' }),
    ],
  },
  noBatches: {
    name: 'no batches, HTTP 429 with Retry-After (public endpoints)',
    rules: () => [limitedBatches(0, 400), rateLimit({ status: 429 }, { every: 60, retryAfter: '1' })],
  },
  dailyLimit: {
    name: 'code -32005 inside HTTP 200 (Infura)',
    rules: () => [
      rateLimit(
        { code: -32005, message: 'daily request count exceeded, request rate limited' },
        { every: 60 },
      ),
    ],
  },
  noLogs: {
    name: 'no eth_getLogs (public BNB endpoints)',
    rules: () => [limitedLogs(0, { code: -32005, message: 'limit exceeded' })],
  },
  oneName: {
    name: 'logs of one address, and of one topic at a position',
    rules: () => [
      limitedNames(1, { code: -32602, message: 'exceed max addresses or topics per search position' }),
    ],
  },
  noFeeHistory: {
    name: 'no eth_feeHistory',
    rules: () => [withoutMethod('eth_feeHistory'), withoutMethod('eth_maxPriorityFeePerGas')],
  },
  noFinalTag: { name: 'no `finalized`', rules: () => [withoutTag('finalized', 'error')] },
  refusesOverrides: { name: 'state overrides refused', rules: () => [refusedOverrides()] },
  ignoresOverrides: { name: 'state overrides ignored', rules: () => [ignoredOverrides()] },
  smallBodies: { name: 'requests of 50 kB', rules: () => [limitedBodies(50_000)] },
  nodesApart: {
    name: 'nodes that differ, `header not found`, late receipts',
    rules: () => [laggingNode(1, 7), headerNotFound({ every: 5 }), lateReceipts({ every: 3 })],
  },
} as const satisfies Record<string, ImitatedProvider>

export type ImitatedProviderName = keyof typeof imitatedProviders
