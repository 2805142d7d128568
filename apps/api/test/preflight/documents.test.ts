// @promise 22
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultDeployment } from '@lanyard/accounts'
import { createNetworks, networkConfig, presetNames, rpcOrigins } from '@lanyard/networks'
import { formatGwei } from 'viem'
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
  const config = networkConfig.parse({ preset, rpcUrls: ['http://rpc'] })
  const { chainId, settlementToken, nativePrice, nativeCurrency, blockTime, minPriorityFeePerGas } = config
  const feed = nativePrice?.kind === 'chainlink' ? nativePrice.feed : ''
  const token = settlementToken ? `${settlementToken.symbol} \`${settlementToken.address}\`` : 'none'
  expect(page).toContain(`| \`${preset}\` | ${chainId} | ${token}`)
  expect(page).toContain(`| \`${feed}\` |`)
  // A test network is like its main network.
  const main = preset.split('-')[0]
  const facts = page.split('\n').find((line) => line.includes('gwei') && line.includes(`\`${main}\``))
  const tip = formatGwei(BigInt(minPriorityFeePerGas))
  expect(facts).toContain(`| ${nativeCurrency.symbol} | ${blockTime / 1000} s | ${tip} gwei`)
  expect(facts).toContain(`| ${config.accountKinds.map((kind) => `\`${kind}\``).join(', ')} |`)
})

test.each(await readdir(join(root, 'examples/networks')))(
  'behavior: examples/networks/%s is valid, and has what lending needs',
  async (name) => {
    const path = join(root, 'examples/networks', name)
    // Each variable is the address of another provider.
    const urlOf = (variable: string) => `https://rpc.${variable.toLowerCase().replaceAll('_', '-')}.example`
    const configs = await readNetworksFile(path, urlOf)
    expect(configs).toHaveLength(4)
    for (const config of configs) {
      expect(new Set(rpcOrigins(config)).size, config.name).toBeGreaterThan(1)
      const smartBalance = defaultDeployment.entryPoint // any address
      const lending = createNetworks([{ ...config, smartBalance }]).get(config.chainId)
      expect(() => lending.quorum.require()).not.toThrow()
    }
  },
)
