import { startNode } from '@lanyard/devnet'
import { createNetworks, type Network, networkConfig } from '@lanyard/networks'
import type { OrderSigner } from '@lanyard/smart-balance'
import { describe, expect, test } from 'vitest'
import { settlementCost } from './gas-budget.ts'

const eoa: OrderSigner = { kind: 'eoa', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }
const passkey: OrderSigner = { kind: 'passkey', x: 1n, y: 2n, verifiers: 3n }

const networkAt = (rpcUrl: string): Network =>
  createNetworks([networkConfig.parse({ chainId: 31337, name: 'Test', rpcUrls: [rpcUrl] })]).get(31337)

/** The cost of a passkey's order for each 100 of an EOA's. */
async function ratioOn(network: Network): Promise<bigint> {
  return (100n * (await settlementCost(network, passkey))) / (await settlementCost(network, eoa))
}

describe('settlementCost', () => {
  test('default: a passkey costs little more with the precompile', async () => {
    await using node = await startNode()
    expect(await ratioOn(networkAt(node.rpcUrl))).toBe(122n)
  })

  test("behavior: a chain before Osaka verifies a passkey in Solidity, at the owner's expense", async () => {
    await using old = await startNode({ hardfork: 'prague' })
    expect(await ratioOn(networkAt(old.rpcUrl))).toBe(377n)
  })
})
