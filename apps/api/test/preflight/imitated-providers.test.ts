/** @module-tag all */
import { gasPriceOracle } from '@lanyard/networks'
import { type ImitatedProviderName, imitatedProviders } from '@lanyard/testing/fault-proxy'
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
  noFeeHistory: [],
  nodesApart: [],
  noLogs: [['RPC_LACKS', /another address/]],
  noFinalTag: [['NO_FINALITY', /"finality": { "confirmations"/]],
  refusesOverrides: [['NO_STATE_OVERRIDE', /Use a node that supports it/]],
  ignoresOverrides: [['NO_STATE_OVERRIDE', /Use a node that supports it/]],
  smallBodies: [['RPC_LACKS', /another address/]],
}

test.each(Object.entries(expected))(
  'behavior: preflight says what %s lacks, and what to change',
  async (name, findings) => {
    base.proxy.set(...imitatedProviders[name as ImitatedProviderName].rules()) // a key of the table
    const { timestamp } = await base.chain.getBlock()
    const report = await preflightNetwork({
      network: base.network(),
      holders,
      now: () => new Date(Number(timestamp) * 1000),
      liquidityWarning: 1_000n,
    })
    // Both addresses of the network are this provider's.
    const found = new Map(report.findings.map(({ code, fix = '' }) => [code, fix]))
    found.delete('TOKEN_NOT_OF_PRESET')
    // Without batches the check needs as many requests as the limit allows. Which of them meets it, their order decides.
    if (name === 'noBatches') found.delete('RPC_RATE_LIMITED')
    expect([...found.keys()], JSON.stringify(report.findings)).toEqual(findings.map(([code]) => code))
    for (const [code, words] of findings) expect(found.get(code)).toMatch(words)
  },
)
