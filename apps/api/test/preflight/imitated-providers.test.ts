/** @module-tag all */
import { gasPriceOracle } from '@lanyard/networks'
import { type ImitatedProviderName, imitatedProviders, rateLimit } from '@lanyard/testing/fault-proxy'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Finding } from '../../src/admin/preflight/finding.ts'
import { preflightNetwork } from '../../src/admin/preflight/preflight.ts'
import { holders, type Imitation, imitate } from './imitation.ts'

let base: Imitation
beforeAll(async () => {
  // CALLDATASIZE × 1000 wei.
  base = await imitate('base', { code: [{ address: gasPriceOracle, bytecode: '0x366103e8025f5260205ff3' }] })
})
afterEach(() => base.proxy.set())
afterAll(() => base?.[Symbol.asyncDispose]())

/** The findings for each provider, and what the fix has to name. */
const expected: Readonly<Record<ImitatedProviderName, readonly (readonly [Finding['code'], RegExp])[]>> = {
  tenBlocks: [['RPC_LIMITED', /"rpcLogRange": ([5-9]|10) /]],
  fiveBlocks: [['RPC_LIMITED', /"rpcBatch": ([5-9]|10), "rpcLogRange": [3-5] /]],
  batchesOfThree: [['RPC_LIMITED', /"rpcBatch": [23],/]],
  noBatches: [['RPC_LIMITED', /"rpcBatch": 1,/]],
  // Rate limits that allow this check, and what the service works without, are no findings.
  dailyLimit: [],
  oneName: [],
  noFeeHistory: [],
  nodesApart: [],
  noLogs: [['RPC_LACKS', /another address/]],
  noFinalTag: [['NO_FINALITY', /"finality": { "confirmations"/]],
  refusesOverrides: [['NO_STATE_OVERRIDE', /Use a node that supports it/]],
  ignoresOverrides: [['NO_STATE_OVERRIDE', /Use a node that supports it/]],
  smallBodies: [['RPC_LACKS', /another address/]],
}

/** What preflight finds, by code. Both addresses of the network are the imitated provider's. */
async function findingsOf(): Promise<ReadonlyMap<string, Finding>> {
  const { timestamp } = await base.chain.getBlock()
  const { findings } = await preflightNetwork({
    network: base.network(),
    holders,
    now: () => new Date(Number(timestamp) * 1000),
    liquidityWarning: 1_000n,
  })
  const found = new Map<string, Finding>(findings.map((one) => [one.code, one]))
  found.delete('TOKEN_NOT_OF_PRESET')
  return found
}

test.each(Object.entries(expected))(
  'behavior: preflight says what %s lacks, and what to change',
  async (name, findings) => {
    base.proxy.set(...imitatedProviders[name as ImitatedProviderName].rules()) // a key of the table
    const found = await findingsOf()
    expect([...found.keys()], JSON.stringify([...found.values()])).toEqual(findings.map(([code]) => code))
    for (const [code, words] of findings) expect(found.get(code)?.fix).toMatch(words)
  },
)

test('behavior: a rate limit that ends soon is no finding', async () => {
  const refusal = { code: -32005, message: 'request rate limited' }
  base.proxy.set(rateLimit(refusal, { methods: ['eth_getTransactionByHash'], times: 2 }))
  expect(await findingsOf()).toEqual(new Map())
})

test('behavior: a provider that takes short lists of accounts only lacks nothing', async () => {
  base.proxy.set({
    methods: ['eth_getLogs'],
    fault: {
      kind: 'error',
      code: -32602,
      message: 'exceed max topics',
      when: ({ params: [filter] = [] }) => JSON.stringify(filter).length > 10_000,
    },
  })
  expect(await findingsOf()).toEqual(new Map())
})
