/** @module-tag all */
// @promise 15 25

import type { Bundler } from '@lanyard/bundler'
import { usualEngine } from '@lanyard/database/testing'
import { reportFigure } from '@lanyard/testing'
import { type Hash, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Operations, startOperations } from '../../../../test/operation-fixture.ts'
import { operationRow } from '../../../../test/rows.ts'
import { pageSize } from './find-unfinished.ts'
import { createReconcileState, reconcile } from './reconcile.ts'

/** Number of blocks with included operations. None of them becomes final in this test. */
const blocks = 40

let at: Operations
let account: string
/** The first of these blocks. */
let first: number
let hashes: readonly Hash[]
beforeAll(async () => {
  at = await startOperations(usualEngine(), { blockTime: 3_600, finality: { confirmations: 10_000 } })
  account = (await at.createWallet()).wallet.address.toLowerCase()
  await at.chain.mine({ blocks })
  first = Number(await at.chain.getBlockNumber()) - blocks + 1
  hashes = await Promise.all(
    Array.from({ length: blocks }, async (_, index) => {
      const { hash } = await at.chain.getBlock({ blockNumber: BigInt(first + index) })
      return hash
    }),
  )
})
afterAll(() => at[Symbol.asyncDispose]())

/** The reopened operations are synthetic, so they cannot be sent. */
const idle: Bundler = {
  get entryPoint() {
    return at.network.config.entryPoint
  },
  estimate: () => Promise.reject(new TypeError('This test builds nothing')),
  deliver: async () => {},
  drive: async () => {},
}

let seeded = 0
/**
 * Inserts operations by SQL up to the total. Half are included, half are pending, and each pending one has its own
 * nonce.
 */
async function seed(total: number): Promise<void> {
  const rows = Array.from({ length: total - seeded }, (_, index) => {
    const number = seeded + index
    const block = number % blocks
    const place = {
      txn_hash: numberToHex(number, { size: 32 }),
      block_number: first + block,
      block_hash: hashes[block] ?? '0x',
    }
    return {
      ...operationRow({
        user_op_hash: numberToHex(number, { size: 32 }),
        account,
        network: at.network.chainId,
        nonce_key: 100n + BigInt(number),
        signature: '0x01',
        signed_at: new Date(),
        signed_at_block: 0,
        ...(number % 2 === 0
          ? { state: 'included', success: true, ...place }
          : { state: 'submitted', next_attempt_at: new Date(Date.now() + 3_600_000) }),
      }),
      user_op: '{}',
    }
  })
  for (let start = 0; start < rows.length; start += 500) {
    await at.database
      .insertInto('operations')
      .values(rows.slice(start, start + 500))
      .execute()
  }
  seeded = total
}

test('behavior: a pass makes as many requests with 10,000 outstanding operations as with 2', {}, async () => {
  const state = createReconcileState(at.operations, at.network)
  const pass = async () => {
    at.rpc.take()
    await reconcile(at.operations, at.network, state)
    return at.rpc.take().requests
  }
  const counts: number[] = []
  for (const total of [2, 100, 10_000]) {
    await seed(total)
    await pass() // reads each new block once
    // Every five seconds, a pass also reads the chain id.
    counts.push(Math.min(await pass(), await pass(), await pass()))
  }
  expect(new Set(counts).size).toBe(1)
  reportFigure(15, 'RPC requests of a pass over 2, 100 and 10,000 operations', Math.max(...counts))
})

test('behavior: each outstanding operation is checked within a round', async () => {
  const { open } = createReconcileState(at.operations, at.network)
  const looked = new Set<string>()
  for (let time = 0; time < 10_000 / 2 / pageSize; time++) {
    for (const { user_op_hash } of await open.next()) looked.add(user_op_hash)
  }
  expect(looked.size).toBe(5_000)
})

test('behavior: a reorg reopens exactly the operations that it removed', async () => {
  const state = createReconcileState(at.operations, at.network)
  await reconcile(at.operations, at.network, state)
  const depth = 10
  await at.chain.request({ method: 'anvil_reorg', params: [depth, []] } as never) // viem has no type for it
  const count = async (state: 'included' | 'submitted') => {
    const rows = await at.database
      .selectFrom('operations')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('state', '=', state)
      .executeTakeFirstOrThrow()
    return Number(rows.count)
  }
  at.rpc.take()
  await reconcile({ ...at.operations, bundlerFor: () => idle }, at.network, state)
  // The requests read the highest block, a binary search among the others, and the removed blocks.
  expect(at.rpc.take().requests).toBeLessThan(blocks)
  // Each block has 250 operations. Every second block has included ones, and a pass reopens one page of them.
  for (let time = 0; time < 3; time++) {
    await reconcile({ ...at.operations, bundlerFor: () => idle }, at.network, state)
  }
  const taken = (depth / 2) * 250
  expect([await count('included'), await count('submitted')]).toEqual([5_000 - taken, 5_000 + taken])
})
