/** @module-tag all */

import { defaultDeployment } from '@lanyard/accounts'
import { gasPriceOracle, nodeInterface } from '@lanyard/networks'
import { devTokenAbi, devTokenBytecode } from '@lanyard/onchain'
import { keccak256 } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Finding } from '../../src/admin/preflight/finding.ts'
import { type FindingCode, findingTable } from '../../src/admin/preflight/finding-table.ts'
import { deployerContract, knownContracts } from '../../src/admin/preflight/known-contracts.ts'
import { preflight } from '../../src/admin/preflight/preflight.ts'
import { type FakeBundler, startFakeBundler } from './fake-bundler.ts'
import { type Fault, faults, type Overrides } from './faults.ts'
import { holders, type Imitation, imitate, settlementToken } from './imitation.ts'

/** CALLDATASIZE × 1000 wei. On Arbitrum the same number is gas at a base fee of 1,000. */
const oracle = '0x366103e8025f5260205ff3'
const nodeOfArbitrum = '0x365f526103e860205260605ff3'

const resources = new AsyncDisposableStack()
let base: Imitation
let arbitrum: Imitation
let polygon: Imitation
let bundler: FakeBundler
beforeAll(async () => {
  ;[base, arbitrum, polygon, bundler] = await Promise.all([
    imitate('base', { code: [{ address: gasPriceOracle, bytecode: oracle }] }),
    imitate('arbitrum', { code: [{ address: nodeInterface, bytecode: nodeOfArbitrum }] }),
    // Polygon before its P-256 precompile, with the former name of its coin.
    imitate('polygon', { hardfork: 'prague', more: { p256Precompile: false }, coin: 'MATIC' }),
    startFakeBundler(),
  ])
  for (const one of [base, arbitrum, polygon, bundler]) resources.use(one)
})
afterAll(() => resources.disposeAsync())

/** The findings of each network. `overrides` applies to `wrong` only. */
async function preflightAll(
  wrong?: Imitation,
  overrides: Overrides = {},
  networks = [base, arbitrum, polygon],
): Promise<readonly Finding[][]> {
  const subjects = networks.map(async (one) => {
    const { entry = {}, holders: others = {}, ahead = 0, ...more } = one === wrong ? overrides : {}
    // No blocks are mined during the tests, so the clock follows the head. A head one minute old is a finding.
    const { timestamp } = await one.chain.getBlock()
    return {
      network: one.network(entry),
      holders: { ...holders, ...others },
      now: () => new Date(Number(timestamp) * 1000 + ahead),
      liquidityWarning: 1_000n,
      ...more,
    }
  })
  const reports = await preflight(await Promise.all(subjects))
  return reports.map(({ findings }) => [...findings])
}

/** The local token replaces USDC everywhere. */
const expectedNote = 'TOKEN_NOT_OF_PRESET'
/** Both RPCs of a network may have the same fault. */
const codesOf = (findings: readonly Finding[]) => [
  ...new Set(findings.map(({ code }) => code).filter((code) => code !== expectedNote)),
]

test('default: three correct networks have no findings', async () => {
  const found = await preflightAll()
  expect(found.map((findings) => findings.map(({ code }) => code))).toEqual([
    [expectedNote],
    [expectedNote],
    [expectedNote],
  ])
})

describe('a fault on one network appears once, for that network', () => {
  test.each(faults.map((fault) => [fault.code, fault.what, fault] as const))(
    '%s: %s',
    { tags: ['all'] },
    async (_, __, fault) => {
      const wrong = fault.on === 'polygon' ? polygon : fault.on === 'arbitrum' ? arbitrum : base
      // The first fault of each network shows that the others have no finding.
      const isFirst = faults.find(({ on }) => on === fault.on) === fault
      const networks = isFirst ? [base, arbitrum, polygon] : [wrong]
      const found = await withFault(wrong, fault, networks)
      expect(found.map(codesOf)).toEqual(networks.map((one) => (one === wrong ? [fault.code] : [])))
      const named = found.flat().find(({ code }) => code === fault.code)
      expect(named?.message).toMatch(/[.?]$/)
      // A URL may contain a key.
      expect(JSON.stringify(named)).not.toMatch(/127\.0\.0\.1/)
      expect(named?.fix).toBeTruthy()
    },
  )

  async function withFault(wrong: Imitation, fault: Fault, networks: Imitation[]) {
    const snapshot = await wrong.chain.snapshot()
    try {
      const overrides = await fault.arrange({
        network: wrong,
        other: wrong === base ? polygon : base,
        bundler,
      })
      return await preflightAll(wrong, overrides, networks)
    } finally {
      wrong.proxy.set()
      await wrong.chain.revert({ id: snapshot })
    }
  }

  test('behavior: each finding of the table has a fault that causes it', () => {
    const ofDomain: readonly FindingCode[] = ['DOMAIN_FILE_UNREADABLE', 'DOMAIN_FILE_LACKS'] // native-apps.test.ts
    const ofProviders: readonly FindingCode[] = ['IDENTITY_PROVIDER_UNREADABLE', 'IDENTITY_PROVIDER_LACKS'] // identity/preflight.test.ts
    const shown = new Set<FindingCode>([
      expectedNote,
      ...ofDomain,
      ...ofProviders,
      ...faults.map(({ code }) => code),
    ])
    expect(Object.keys(findingTable).filter((code) => !shown.has(code as FindingCode))).toEqual([]) // own keys
  })
})

test('behavior: a settlement token without 6 decimals is a finding', async () => {
  const before = await base.chain.snapshot()
  try {
    const { contractAddress } = await base.sent(
      base.wallet.deployContract({
        chain: null,
        abi: devTokenAbi,
        bytecode: devTokenBytecode,
        args: ['USD Coin', 'USDC', 18],
      }),
    )
    const bytecode = (contractAddress && (await base.chain.getCode({ address: contractAddress }))) ?? '0x'
    await base.chain.setCode({ address: settlementToken.address, bytecode })
    const overrides = { entry: { settlementToken: { ...settlementToken, decimals: 18 } } }
    const [found] = await preflightAll(base, overrides)
    expect(found).toContainEqual(
      expect.objectContaining({ code: 'TOKEN_DECIMALS', expected: '6', seen: '18' }),
    )
  } finally {
    await base.chain.revert({ id: before })
  }
})

test('behavior: preflight knows the code hash of each contract on local networks', async () => {
  for (const { address, codeHashes, name } of [...knownContracts, deployerContract]) {
    const code = await base.chain.getCode({ address })
    expect(codeHashes, name).toContain(keccak256(code ?? '0x'))
  }
  expect(knownContracts.map(({ address }) => address)).toEqual(
    expect.arrayContaining(Object.values(defaultDeployment).filter((value) => typeof value === 'string')),
  )
})
