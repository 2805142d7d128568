import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { networkConfig, presetNames } from '@lanyard/networks'
import { expect, test } from 'vitest'
import { type FindingCode, findingTable } from '../../src/admin/preflight/finding-table.ts'
import { readNetworksFile } from '../../src/platform/network-configs.ts'

const root = join(import.meta.dirname, '../../../..')
const page = await readFile(join(root, 'docs/networks.md'), 'utf8')
const codes = Object.keys(findingTable) as FindingCode[] // the table's own keys

test.each(codes)('behavior: docs/networks.md lists %s and whether it stops the start', (code) => {
  expect(page).toContain(`\`${code}\``)
  expect(page.includes(`\`${code}\` ●`)).toBe('stopsStart' in findingTable[code])
})

test.each(presetNames)('behavior: docs/networks.md matches the preset %s', (preset) => {
  const { chainId, settlementToken, nativePrice } = networkConfig.parse({ preset, rpcUrls: ['http://rpc'] })
  const feed = nativePrice?.kind === 'chainlink' ? nativePrice.feed : ''
  expect(page).toContain(`| \`${preset}\` | ${chainId} | \`${settlementToken?.address}\` | \`${feed}\` |`)
})

test.each(['networks.json', 'test-networks.json'])(
  'behavior: examples/networks/%s is valid',
  async (name) => {
    const configs = await readNetworksFile(join(root, 'examples/networks', name), () => 'https://rpc.example')
    expect(configs).toHaveLength(4)
  },
)
