import { freshDatabase, type TestDatabase } from '@lanyard/database/testing'
import { type DevnetNode, localTransport, startNode } from '@lanyard/devnet'
import { createNetworks, networkConfig } from '@lanyard/networks'
import { createTestClient, parseEther, publicActions, walletActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lastsFor, readRelayers } from './read-relayers.ts'

/** PUBLIC: anvil's first account. */
const relayer = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

let node: DevnetNode
let database: TestDatabase
beforeAll(async () => {
  ;[node, database] = await Promise.all([startNode(), freshDatabase()])
})
afterAll(async () => {
  await node?.[Symbol.asyncDispose]()
  await database?.[Symbol.asyncDispose]()
})

test('default: a transaction whose nonce the chain has used is not in flight, whatever its row says', async () => {
  const chain = createTestClient({ mode: 'anvil', transport: localTransport(node.rpcUrl) })
    .extend(publicActions)
    .extend(walletActions)
  const chainId = await chain.getChainId()
  const networks = createNetworks([
    networkConfig.parse({ chainId, name: 'Local', rpcUrls: [node.rpcUrl], local: true }),
  ])
  const now = new Date('2026-11-30T12:00:00Z')
  const signedAt = new Date('2026-11-30T09:00:00Z')
  const row = {
    ...{ network: chainId, relayer: relayer.address.toLowerCase(), raw: '0x', gas_limit: 21_000n },
    ...{ max_fee_per_gas: 7n, max_priority_fee_per_gas: 1n, state: 'live' as const },
    ...{ block_number: null, block_hash: null, created_at: signedAt, sent_at: signedAt },
  }
  await database.db
    .insertInto('relayer_leases')
    .values({ network: chainId, relayer: row.relayer, holder: 'worker', fence: 1, expires_at: signedAt })
    .execute()
  await database.db
    .insertInto('relayer_transactions')
    .values([
      { ...row, txn_hash: '0x1', nonce: 0 },
      { ...row, txn_hash: '0x2', nonce: 0, max_fee_per_gas: 9n }, // its replacement
      { ...row, txn_hash: '0x3', nonce: 1, created_at: now },
    ])
    .execute()
  const read = async () => (await readRelayers(database.db, networks, now))[0]
  expect(await read()).toMatchObject({
    ...{ inFlight: 2, oldestAt: signedAt.toISOString(), maxFeePerGas: '9', symbol: 'ETH' },
  })

  // The worker stopped before it could write what became of the first.
  const hash = await chain.sendTransaction({ account: relayer, chain: null, to: relayer.address })
  await chain.waitForTransactionReceipt({ hash })
  expect(await read()).toMatchObject({ inFlight: 1, oldestAt: now.toISOString(), maxFeePerGas: '7' })

  const next = await chain.sendTransaction({ account: relayer, chain: null, to: relayer.address })
  await chain.waitForTransactionReceipt({ hash: next })
  expect(await read()).toMatchObject({ inFlight: 0, oldestAt: null, maxFeePerGas: null })
})

test('behavior: a relayer lasts for as long as its balance pays what its day lost', () => {
  const day = 86_400
  expect(lastsFor(parseEther('1'), parseEther('0.5'), parseEther('0.3'))).toBe(5 * day)
  expect(lastsFor(parseEther('0.012'), parseEther('0.048'), 0n)).toBe(day / 4)
  expect(lastsFor(0n, 1n, 0n)).toBe(0)
  // It earns what it spends: nothing says when it ends.
  expect(lastsFor(parseEther('1'), 5n, 5n)).toBeNull()
  expect(lastsFor(parseEther('1'), 0n, 0n)).toBeNull()
})
